import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { NodeOperation } from '../../../nodes/nodes/Aftermeet/actions/node-operation.ts';
import { explainFailure } from '../../../nodes/nodes/Aftermeet/transport/errors.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { type ScriptedService, startScriptedService } from './support/scripted-service.ts';

const attach = findOperation('tag', 'attach');
const create = findOperation('tag', 'create');
const detach = findOperation('tag', 'detach');
const list = findOperation('tag', 'list');

let sandbox: Sandbox;
let url = '';
beforeEach(async () => {
  sandbox = createSandbox({ seed: 7 });
  ({ url } = await sandbox.listen());
});
afterEach(() => sandbox.close());

async function run(operation: NodeOperation, parameters: object, baseUrl = url) {
  const context = createNodeContext({
    baseUrl,
    parameters: { ...parameters },
    description: operation.description,
  });
  const items = await operation.execute(context.execute, 0);
  return items.map(({ json }) => json);
}

const byId = (value: string): object => ({ __rl: true, mode: 'id', value });

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
    await run(create, { name: 'Customer' });
    const error = await run(create, { name: 'customer' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'conflict', status: 409 });
  });

  it('asks for nothing without a name', async () => {
    await expect(run(create, { name: '' })).rejects.toThrow('name is missing');
  });

  const answeredTag = { id: 't1', name: 'customer', color: 'blue' };

  it.each([
    ['tag', { tag: answeredTag, created: true }],
    ['data', { data: answeredTag }],
    ['bare', answeredTag],
  ])('reads the answer with the tag in %s', async (_shape, body) => {
    const service = await startScriptedService(() => ({ status: 201, body }));
    expect(await run(create, { name: 'customer' }, service.url)).toEqual([
      { tag_id: 't1', name: 'customer', color: 'blue' },
    ]);
    await service.stop();
  });

  it.each(['drop_after', 'cut'] as const)(
    'says after %s that it may have been created, and sends it once',
    async (kind) => {
      const context = createNodeContext({
        baseUrl: url,
        parameters: { name: 'customer' },
        description: create.description,
      });
      sandbox.faults.add({ kind, on: 'tags.create' });
      const error = await create.execute(context.execute, 0).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'ambiguous', retryable: false });
      expect(context.requests).toHaveLength(1);
      expect(await run(list, {})).toMatchObject([{ name: 'customer' }]);
    },
  );

  it('says of a success that names no tag that it may have been created', async () => {
    const service = await startScriptedService(() => ({ status: 201, body: 'OK' }));
    const context = createNodeContext({ baseUrl: service.url, parameters: { name: 'x' } });
    const error = await create.execute(context.execute, 0).catch((reason: unknown) => reason);
    await service.stop();
    expect(service.asked).toEqual(['POST /api/workspaces/active/tags']);
    expect(error).toMatchObject({
      code: 'ambiguous',
      status: 201,
      detail: 'the answer names no tag',
      checkWith: 'tags.list',
    });
    expect(explainFailure(context.execute.getNode(), error, 0).description).toContain(
      'before you run this again',
    );
  });
});

describe('Get many tags', () => {
  const tags = Array.from({ length: 7 }, (_, index) => ({ id: String(index), name: `tag ${String(index)}` }));
  const shapes = {
    tags: (page: object[], next: string | null) => ({ tags: page, nextCursor: next }),
    items: (page: object[], next: string | null) => ({ items: page, next_cursor: next }),
    data: (page: object[], next: string | null) => ({ data: { tags: page, nextCursor: next } }),
  };

  /** Three tags on a page. */
  const startPaged = (shape: keyof typeof shapes) =>
    startScriptedService((query) => {
      const begin = Number(query.get('cursor') ?? 0);
      const next = begin + 3 < tags.length ? String(begin + 3) : null;
      return { body: shapes[shape](tags.slice(begin, begin + 3), next) };
    });

  it.each(['tags', 'items', 'data'] as const)('gives all pages of the shape %s', async (shape) => {
    const service = await startPaged(shape);
    const found = await run(list, { returnAll: true }, service.url);
    expect(found.map(({ name }) => name)).toEqual(tags.map(({ name }) => name));
    await service.stop();
  });

  it('asks for no more pages than the limit needs', async () => {
    const service = await startPaged('tags');
    expect(await run(list, { limit: 4 }, service.url)).toHaveLength(4);
    expect(service.asked).toHaveLength(2);
    await service.stop();
  });

  it('gives 50 at most when nothing else is said', async () => {
    const service = await startScriptedService(() => ({
      body: Array.from({ length: 80 }, (_, id) => ({ id })),
    }));
    expect(await run(list, {}, service.url)).toHaveLength(50);
    await service.stop();
  });
});

describe('Get many tags, of other services', () => {
  let service: ScriptedService;
  afterEach(() => service.stop());

  it.each<[string, (cursor: string | null, index: number) => unknown, number, number]>([
    ['a cursor that comes again', (cursor) => ({ tags: [{ id: cursor ?? 'a' }], nextCursor: 'b' }), 2, 2],
    [
      'a page that brings nothing new',
      (_cursor, index) => ({ tags: [{ id: 1 }], nextCursor: `c${index}` }),
      1,
      2,
    ],
    ['no cursor', () => ({ tags: [{ id: 1 }, { id: 1 }, { name: 'no id' }, null] }), 1, 1],
    ['an empty answer', () => undefined, 0, 1],
  ])('ends at %s', async (_name, answer, tags, requests) => {
    service = await startScriptedService((query, index) => ({ body: answer(query.get('cursor'), index) }));
    expect(await run(list, { returnAll: true }, service.url)).toHaveLength(tags);
    expect(service.asked).toHaveLength(requests);
  });

  it('goes on at the cursor', async () => {
    service = await startScriptedService((query) =>
      query.get('cursor') === null
        ? { body: { data: { tags: [{ id: 1, name: 'a', colour: 'red' }], next_cursor: 'a b' } } }
        : { body: { tags: [{ id: 2, title: 'b' }] } },
    );
    expect(await run(list, { returnAll: true }, service.url)).toEqual([
      { tag_id: '1', name: 'a', color: 'red' },
      { tag_id: '2', name: 'b' },
    ]);
    expect(service.asked).toEqual([
      'GET /api/workspaces/active/tags?perPage=100',
      'GET /api/workspaces/active/tags?perPage=100&cursor=a+b',
    ]);
  });

  it.each([
    [{ message: 'hello' }, 'the answer holds no list of tags'],
    [{ tags: [{ id: 1 }], nextCursor: '\uD83D' }, 'the cursor of the next page is not valid text'],
  ])('takes %j for unreadable', async (body, detail) => {
    service = await startScriptedService(() => ({ body }));
    await expect(run(list, { returnAll: true }, service.url)).rejects.toMatchObject({
      code: 'unreadable',
      detail,
    });
  });
});

describe('Attach and detach', () => {
  async function holdMeeting(): Promise<string> {
    const [id] = sandbox.seed({ meetings: 1, languages: ['en'], days: 1 }).meetingIds;
    if (id === undefined) throw new Error('There is no meeting');
    return id;
  }

  it.each(['observed', 'json', 'text', 'empty'] as const)(
    'say what is on the meeting, also twice, answered as %s',
    async (acknowledgement) => {
      sandbox.options.set({ acknowledgement });
      const tagId = (await run(create, { name: 'customer' }))[0]?.['tag_id'];
      const link = { meeting_id: await holdMeeting(), tag_id: typeof tagId === 'string' ? tagId : '' };
      const parameters = {
        meetingId: byId(link.meeting_id),
        tagId: { __rl: true, mode: 'list', value: link.tag_id },
      };
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await run(attach, parameters)).toEqual([{ ...link, attached: true }]);
      }
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await run(detach, parameters)).toEqual([{ ...link, attached: false }]);
      }
    },
  );

  it('say what the service says, where it says something else', async () => {
    const service = await startScriptedService(() => ({ body: { assigned: false } }));
    expect(await run(attach, { meetingId: byId('m'), tagId: byId('t') }, service.url)).toEqual([
      { meeting_id: 'm', tag_id: 't', attached: false },
    ]);
    await service.stop();
  });

  it('escape ids, and refuse those that would walk up the path', async () => {
    const service = await startScriptedService(() => ({}));
    await run(attach, { meetingId: byId('a/b?c'), tagId: byId('ü#') }, service.url);
    await expect(run(detach, { meetingId: byId('..'), tagId: byId('') }, service.url)).rejects.toThrow(
      'meetingId must be a value that is not . or .. and does not hold them between slashes; tagId is missing',
    );
    await service.stop();
    expect(service.asked).toEqual(['PUT /api/workspaces/active/meetings/a%2Fb%3Fc/tags/%C3%BC%23']);
  });

  it('say that there is no such meeting', async () => {
    const error = await run(attach, { meetingId: byId('none'), tagId: byId('none') }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
  });
});
