import { describe, expect, it } from 'vitest';

import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { shareSandbox } from './support/serve.ts';

// The shapes that templates come in are tested with the client.

const list = findOperation('template', 'list');
const shared = shareSandbox();

async function run(parameters: Readonly<Record<string, unknown>>) {
  const context = createNodeContext({ baseUrl: shared.url, parameters, description: list.description });
  const items = await list.execute(context.execute, 0);
  return { items: items.map(({ json }) => json), requests: context.requests };
}

const designSync = '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07';

describe('Get many templates', () => {
  it('gives the built-in ones without a request', async () => {
    const { items, requests } = await run({ which: 'built-in' });
    expect(requests).toEqual([]);
    expect(items).toHaveLength(16);
    const slug = 'default-meeting';
    expect(items[0]).toEqual({ template_name: slug, name: 'Default Meeting', slug, built_in: true });
  });

  it('gives all when nothing else is said: the built-in ones first', async () => {
    const { items } = await run({});
    const builtIn = Array.from({ length: 16 }, () => true);
    expect(items.map(({ built_in: isBuiltIn }) => isBuiltIn)).toEqual([...builtIn, false, false]);
  });

  it('gives those of the workspace', async () => {
    const { items } = await run({ which: 'custom' });
    expect(items).toHaveLength(2);
    const expected = { template_name: designSync, name: 'Design sync', id: designSync, built_in: false };
    expect(items[0]).toEqual(expected);
  });
});
