import { describe, expect, it } from 'vitest';

import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { shareSandbox } from './support/serve.ts';

// The shapes that templates come in are tested with the client.

const list = findOperation('template', 'list');
const shared = shareSandbox();

const designSync = '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07';

const builtIn = {
  template_name: 'default-meeting',
  name: 'Default Meeting',
  slug: 'default-meeting',
  built_in: true,
};
const custom = { template_name: designSync, name: 'Design sync', id: designSync, built_in: false };

describe('Get many templates', () => {
  it.each([
    ['the built-in ones without a request', { which: 'built-in' }, 16, builtIn, 0],
    ['those of the workspace', { which: 'custom' }, 2, custom, 1],
    ['all where nothing else is said, the built-in ones first', {}, 18, builtIn, 1],
  ])('gives %s', async (_name, parameters, count, first, requests) => {
    const { description } = list;
    const context = createNodeContext({ baseUrl: shared.url, parameters, description });
    const items = await list.execute(context.execute, 0);
    expect(items).toHaveLength(count);
    expect(items[0]).toEqual({ json: first });
    expect(context.requests).toHaveLength(requests);
    const builtInFirst = items.toSorted((a, b) => Number(b.json['built_in']) - Number(a.json['built_in']));
    expect(items).toEqual(builtInFirst);
  });
});
