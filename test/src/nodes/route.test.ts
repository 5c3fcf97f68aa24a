import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { createNodeContext } from './support/n8n-context.ts';

const sandbox = createSandbox({ seed: 1 });
let baseUrl = '';
let meetingId = '';
beforeAll(async () => {
  baseUrl = (await sandbox.listen()).url;
  meetingId = sandbox.seed({ meetings: 1, languages: ['en'], days: 1 }).meetingIds[0] ?? '';
});
afterAll(() => sandbox.close());

/** Asks for the status of each. */
async function ask(ids: readonly string[], goesOn: boolean) {
  const parameters = ids.map((id) => ({ resource: 'recording', operation: 'status', meetingId: id }));
  const { execute } = createNodeContext({ baseUrl, parameters, items: ids.map(() => ({})) });
  return await route(execute, goesOn);
}

describe('what fails', () => {
  const message = 'No meeting has this meeting_id.';

  it('is an item with its advice, which n8n leaves as it is: without an error beside the JSON', async () => {
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
    await expect(ask([meetingId, 'm_none'], false)).rejects.toMatchObject({
      message: `${message} [item 1]`,
      description: expect.stringMatching(/^Check the ID of the meeting/),
    });
    await expect(ask(['m_none'], false)).rejects.toMatchObject({ message });
  });
});
