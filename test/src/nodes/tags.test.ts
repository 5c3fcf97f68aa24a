import { describe, expect, it } from 'vitest';

import type { NodeOperation } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { explainFailure } from '../../../nodes/nodes/Aftermeet/transport/errors.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';
import { shareSandbox } from './support/serve.ts';

// How pages end, the shapes of tags and of acknowledgments are tested with the client; what a field refuses, with the contract.

const attach = findOperation('tag', 'attach');
const create = findOperation('tag', 'create');
const detach = findOperation('tag', 'detach');
const list = findOperation('tag', 'list');

const shared = shareSandbox();

async function run(operation: NodeOperation, parameters: object, baseUrl = shared.url) {
  const { description } = operation;
  const { execute } = createNodeContext({ baseUrl, parameters: { ...parameters }, description });
  const items = await operation.execute(execute, 0);
  return items.map(({ json }) => json);
}

const byId = (value: unknown): object => ({ __rl: true, mode: 'id', value });

describe('Create a tag', () => {
  it('gives the tag', async () => {
    const [tag, ...rest] = await run(create, { name: 'customer', options: { color: 'teal' } });
    expect(rest).toEqual([]);
    expect(tag).toEqual({ tag_id: expect.any(String) as string, name: 'customer', color: 'teal' });
    expect(await run(list, {})).toContainEqual(tag);
  });

  it('leaves the color to the service, and takes a number for a name', async () => {
    expect(await run(create, { name: 2026 })).toMatchObject([{ name: '2026', color: 'blue' }]);
  });

  it('says of a success that names no tag that it may have been created', async () => {
    const service = await startScriptedService(() => ({ status: 201, body: 'OK' }));
    const { execute } = createNodeContext({ baseUrl: service.url, parameters: { name: 'x' } });
    const error: unknown = await create.execute(execute, 0).catch((reason: unknown) => reason);
    expect(service.asked).toEqual(['POST /api/workspaces/active/tags']);
    const detail = 'the answer names no tag';
    expect(error).toMatchObject({ code: 'ambiguous', status: 201, detail, checkWith: 'tags.list' });
    expect(explainFailure(execute.getNode(), error, 0).description).toContain('before you run this again');
  });
});

describe('Get many tags', () => {
  it.each([
    ['no more pages than the limit needs', { limit: 4 }, 4, 2],
    ['all pages where all are wanted', { returnAll: true }, 60, 20],
    ['50 at most when nothing else is said', {}, 50, 17],
  ])('asks for %s', async (_name, parameters, count, requests) => {
    const service = await startScriptedService((_query, page) => {
      const tags = [0, 1, 2].map((at) => ({ id: page * 3 + at }));
      return { body: { tags, ...(page < 19 ? { nextCursor: `c${page}` } : {}) } };
    });
    const found = await run(list, parameters, service.url);
    expect(found.map(({ tag_id: id }) => id)).toEqual(Array.from({ length: count }, (_, at) => String(at)));
    expect(service.asked).toHaveLength(requests);
    const path = 'GET /api/workspaces/active/tags?perPage=100';
    expect(service.asked.slice(0, 2)).toEqual([path, `${path}&cursor=c0`]);
  });
});

describe('Attach and detach', () => {
  it.each(['observed', 'empty'] as const)(
    'say what is on the meeting, also twice, answered as %s',
    async (acknowledgement) => {
      shared.sandbox.options.set({ acknowledgement });
      const [tag] = await run(create, { name: acknowledgement });
      const tagId = tag?.['tag_id'];
      const link = { meeting_id: shared.meetingId, tag_id: tagId };
      const parameters = {
        meetingId: byId(link.meeting_id),
        tagId: { __rl: true, mode: 'list', value: tagId },
      };
      for (const [operation, attached] of [
        [attach, true],
        [attach, true],
        [detach, false],
        [detach, false],
      ] as const) {
        expect(await run(operation, parameters)).toEqual([{ ...link, attached }]);
      }
    },
  );

  it('say what the service says, where it says something else', async () => {
    const service = await startScriptedService(() => ({ body: { assigned: false } }));
    expect(await run(attach, { meetingId: byId('m'), tagId: byId('t') }, service.url)).toEqual([
      { meeting_id: 'm', tag_id: 't', attached: false },
    ]);
  });
});
