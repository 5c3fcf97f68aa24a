import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { root } from '../pins/picture.ts';

const require = createRequire(import.meta.url);
const manifestSchema = z.object({ n8n: z.object({ credentials: z.array(z.string()).length(1) }) });

/** Loads the built credential the way n8n does: by the path in the manifest, with `require`. */
function loadCredential(): unknown {
  const { n8n } = manifestSchema.parse(require(join(root, 'nodes/package.json')));
  const { AftermeetApi } = z
    .object({ AftermeetApi: z.custom<new () => unknown>((value) => typeof value === 'function') })
    .parse(require(join(root, 'nodes', n8n.credentials[0] ?? '')));
  return new AftermeetApi();
}

describe('the credential of the n8n nodes', () => {
  it('sends the key as X-API-KEY and tests it with a request that changes nothing', () => {
    expect(loadCredential()).toMatchObject({
      name: 'aftermeetApi',
      authenticate: { type: 'generic', properties: { headers: { 'X-API-KEY': '={{$credentials.apiKey}}' } } },
      test: {
        request: {
          baseURL: '={{$credentials.baseUrl}}',
          url: '/api/workspaces/active/tags',
          qs: { perPage: 1 },
        },
      },
    });
  });

  it('hides the key while it is typed', () => {
    expect(loadCredential()).toMatchObject({
      properties: [{ name: 'baseUrl' }, { name: 'apiKey', typeOptions: { password: true } }],
    });
  });
});
