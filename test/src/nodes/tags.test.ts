import { describe, expect, it } from 'vitest';

import type { NodeOperation } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { explainFailure } from '../../../nodes/nodes/Aftermeet/transport/errors.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';
import { shareSandbox } from './support/serve.ts';

// How pages end, and the shapes of a new tag, are tested with the client; that it is sent once, in retries.test.ts.

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

  it('says that the name is there already', async () => {
    await run(create, { name: 'Partner' });
    await expect(run(create, { name: 'partner' })).rejects.toMatchObject({ code: 'conflict', status: 409 });
  });

  it('asks for nothing without a name', async () => {
    await expect(run(create, { name: '' })).rejects.toThrow('name is missing');
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
  it('gives all pages, in whichever shape each is', async () => {
    const service = await startScriptedService((query) => {
      const first = { data: { tags: [{ id: 1, name: 'a', colour: 'red' }], next_cursor: 'a b' } };
      const second = { items: [{ id: 2, title: 'b' }], nextCursor: 'c' };
      const cursor = query.get('cursor');
      return { body: cursor === null ? first : cursor === 'c' ? { tags: [{ id: 3, name: 'c' }] } : second };
    });
    expect(await run(list, { returnAll: true }, service.url)).toEqual([
      { tag_id: '1', name: 'a', color: 'red' },
      { tag_id: '2', name: 'b' },
      { tag_id: '3', name: 'c' },
    ]);
    const path = 'GET /api/workspaces/active/tags?perPage=100';
    expect(service.asked).toEqual([path, `${path}&cursor=a+b`, `${path}&cursor=c`]);
  });

  it.each([
    ['no more pages than the limit needs', { limit: 4 }, 4, 2],
    ['50 at most when nothing else is said', {}, 50, 17],
  ])('asks for %s', async (_name, parameters, count, requests) => {
    const service = await startScriptedService((_query, page) => {
      const tags = [0, 1, 2].map((at) => ({ id: page * 3 + at }));
      return { body: { tags, nextCursor: `c${page}` } };
    });
    expect(await run(list, parameters, service.url)).toHaveLength(count);
    expect(service.asked).toHaveLength(requests);
  });

  it('takes nothing for an empty list, and words for none', async () => {
    const service = await startScriptedService((_query, index) => ({
      body: [undefined, { message: 'x' }][index],
    }));
    expect(await run(list, {}, service.url)).toEqual([]);
    const detail = 'the answer holds no list of tags';
    await expect(run(list, {}, service.url)).rejects.toMatchObject({ code: 'unreadable', detail });
  });
});

describe('Attach and detach', () => {
  it.each(['observed', 'json', 'text', 'empty'] as const)(
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

  it('refuse ids that would walk up the path', async () => {
    await expect(run(detach, { meetingId: byId('..'), tagId: byId('') })).rejects.toThrow(
      'meetingId must be a value that is not . or .. and does not hold them between slashes; tagId is missing',
    );
  });
});
