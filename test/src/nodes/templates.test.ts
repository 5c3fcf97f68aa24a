import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';

const list = findOperation('template', 'list');

let sandbox: Sandbox;
let url = '';
beforeAll(async () => {
  sandbox = createSandbox();
  ({ url } = await sandbox.listen());
});
afterAll(() => sandbox.close());

async function run(parameters: Readonly<Record<string, unknown>>, baseUrl = url) {
  const context = createNodeContext({ baseUrl, parameters, description: list.description });
  const items = await list.execute(context.execute, 0);
  return { items: items.map(({ json }) => json), requests: context.requests };
}

const designSync = '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07';

describe('Get many templates', () => {
  it('gives the built-in ones without a request', async () => {
    const { items, requests } = await run({ which: 'built-in' });
    expect(requests).toEqual([]);
    expect(items).toHaveLength(16);
    expect(items[0]).toEqual({
      template_name: 'default-meeting',
      name: 'Default Meeting',
      slug: 'default-meeting',
      built_in: true,
    });
  });

  it('gives all when nothing else is said: the built-in ones first', async () => {
    const { items } = await run({});
    expect(items.map(({ built_in: builtIn }) => builtIn)).toEqual([
      ...Array.from({ length: 16 }, () => true),
      false,
      false,
    ]);
  });

  it('gives those of the workspace', async () => {
    const { items } = await run({ which: 'custom' });
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      template_name: designSync,
      name: 'Design sync',
      id: designSync,
      built_in: false,
    });
  });

  const specified = [{ template_id: 'a', template_name: 'A' }];
  const more = [
    { id: 'a', name: 'A', description: null, is_default: false, entities: [{ name: 'summary' }] },
  ];

  it.each([{ custom_templates: specified }, { items: more }, { data: specified }, more, specified])(
    'reads the answer %j',
    async (body) => {
      const service = await startScriptedService(() => ({ body }));
      const { items } = await run({ which: 'custom' }, service.url);
      expect(items).toEqual([{ template_name: 'a', name: 'A', id: 'a', built_in: false }]);
      await service.stop();
    },
  );

  it('leaves out what has no id, and takes nothing for an empty list', async () => {
    const bodies = [{ templates: [{ id: 7 }, { name: 'x' }, null, 'text'] }, undefined, { templates: null }];
    const service = await startScriptedService((_query, index) => ({ body: bodies[index] }));
    expect((await run({ which: 'custom' }, service.url)).items).toEqual([
      { template_name: '7', name: 'Untitled', id: '7', built_in: false },
    ]);
    expect((await run({ which: 'custom' }, service.url)).items).toEqual([]);
    expect((await run({ which: 'custom' }, service.url)).items).toEqual([]);
    await service.stop();
  });

  it('takes an answer without a list for unreadable', async () => {
    const service = await startScriptedService(() => ({ body: { message: 'hello' } }));
    await expect(run({}, service.url)).rejects.toMatchObject({
      code: 'unreadable',
      detail: 'the answer holds no list of templates',
    });
    await service.stop();
  });
});
