import { describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';
import { shareSandbox } from './support/serve.ts';

const shared = shareSandbox();

/** Asks for the status of each. */
async function ask(ids: readonly string[], goesOn: boolean) {
  const parameters = ids.map((id) => ({ resource: 'recording', operation: 'status', meetingId: id }));
  const { execute } = createNodeContext({ baseUrl: shared.url, parameters, items: ids.map(() => ({})) });
  return await route(execute, goesOn);
}

describe('what fails', () => {
  const message = 'No meeting has this meeting_id.';

  it('is an item with its advice, which n8n leaves as it is: without an error beside the JSON', async () => {
    const { meetingId } = shared;
    const [items = []] = await ask([meetingId, 'm_none', meetingId], true);
    expect(items.map(({ json, pairedItem }) => [json['error'] ?? json['meeting_id'], pairedItem])).toEqual([
      [meetingId, { item: 0 }],
      [message, { item: 1 }],
      [meetingId, { item: 2 }],
    ]);
    expect(items[1]).toEqual({
      json: {
        error: message,
        details: expect.stringMatching(/^Check the ID of the meeting: Meeting: Get Many lists them\./),
      },
      pairedItem: { item: 1 },
    });
  });

  it('ends the execution, and names the item where there are several', async () => {
    await expect(ask([shared.meetingId, 'm_none'], false)).rejects.toMatchObject({
      message: `${message} [item 1]`,
      description: expect.stringMatching(/^Check the ID of the meeting/),
    });
    await expect(ask(['m_none'], false)).rejects.toMatchObject({ message });
  });
});

it('items of many results keep the item that they come from', async () => {
  const parameters = { resource: 'tag', operation: 'list', returnAll: true };
  const service = await startScriptedService(() => ({ body: [{ id: 1 }, { id: 2 }] }));
  const { execute } = createNodeContext({ baseUrl: service.url, parameters, items: [{}, {}] });
  const [items = []] = await route(execute, false);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
});
