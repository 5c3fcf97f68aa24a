import { createSandbox } from '@aftermeet/sandbox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { AftermeetWebhookApi } from '../../../nodes/credentials/AftermeetWebhookApi.credentials.ts';
import { checkWebhookSecrets, describeBadSecrets } from '../../../nodes/credentials/check-webhook-secrets.ts';
import { signRequest } from '../../../nodes/credentials/sign-request.ts';

const apiKey = 'key_8f3b1c5e';
const credential = { baseUrl: 'https://service.example', mcpUrl: 'https://mcp.example', apiKey };
/** For n8n's helpers, and for its HTTP Request node. */
const unfollowed = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };

describe('where the API key goes', () => {
  it.each<[string, object, string]>([
    ['https://service.example', {}, 'https://service.example/api/meeting/status?meeting_id=m'],
    [' https://service.example/ ', {}, 'https://service.example/api/video'],
    ['https://service.example/meet/', {}, 'https://service.example/meet/api/video'],
    ['https://service.example', { baseURL: 'https://service.example/' }, '/api/workspaces/active/tags'],
    ['https://service.example/meet', { baseURL: 'https://service.example/meet' }, '/api/video'],
    ['https://SERVICE.example:443', {}, 'https://service.example/api/video'],
  ])('below %s it is X-API-KEY (%j, %s)', (baseUrl, more, url) => {
    const signed = signRequest({ ...credential, baseUrl }, { ...more, url, headers: { accept: 'a' } });
    const headers = { accept: 'a', 'X-API-KEY': apiKey };
    expect(signed).toEqual({ ...more, ...unfollowed, url, headers });
  });

  it.each([
    ['https://mcp.example', 'https://mcp.example/mcp'],
    ['https://mcp.example/', 'https://mcp.example/mcp'],
    ['https://service.example', 'https://service.example/mcp'],
    ['https://service.example/agents', 'https://service.example/agents/mcp'],
  ])('at the endpoint of the MCP address %s it is a bearer token', (mcpUrl, url) => {
    expect(signRequest({ ...credential, mcpUrl }, { url })).toEqual({
      ...unfollowed,
      url,
      headers: { authorization: `Bearer ${apiKey}` },
    });
  });

  it.each([
    'https://evil.example/api/video',
    'http://service.example/api/video',
    'https://service.example:8443/api/video',
    'https://service.example.evil.example/api/video',
    'https://service.example@evil.example/api/video',
    'https://mcp.example/other',
    'https://mcp.example/mcp/../x',
    'https://mcp.example/mcp?x=1',
    'javascript:alert(1)',
    '/api/video',
    '',
  ])('to %j it does not go, and neither does the request', (url) => {
    expect(() => signRequest(credential, { url })).toThrow(
      "The API key goes to the credential's Base Address and MCP Address only",
    );
  });

  it.each(['', 'service', 'ftp://service.example', 7])('says so when the base address is %j', (baseUrl) => {
    expect(() => signRequest({ ...credential, baseUrl }, { url: '/api/video' })).toThrow(
      'The Base Address in the credential must be a web address that begins with https:// or http://',
    );
  });

  it('does not leave the path of the base address', () => {
    const within = { ...credential, baseUrl: 'https://service.example/meet' };
    for (const path of ['/', '/api', '/meeting', '/meet', '/meet/../api', '/meet/%2e%2e/api']) {
      expect(() => signRequest(within, { url: `https://service.example${path}` })).toThrow('only');
    }
  });

  it('to no other origin, whatever is asked', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        expect(() => signRequest(credential, { url: `https://${host}/api/video` })).toThrow('only');
      }),
    );
  });

  it("is added to, and kept from, requests of n8n's HTTP Request node, which calls the address uri", () => {
    const ask = (uri: string): object => signRequest(credential, { uri } as never);
    expect(ask('https://service.example/api/video')).toMatchObject({ headers: { 'X-API-KEY': apiKey } });
    expect(() => ask('https://evil.example/api/video')).toThrow('only');
  });

  it.each(['https://service.example/api/video', 'https://mcp.example/mcp'])(
    'does not follow a redirect of %s, whatever the node says',
    (url) => {
      const eager = { disableFollowRedirect: false, followRedirect: true, followAllRedirects: true };
      expect(signRequest(credential, { ...eager, url })).toMatchObject(unfollowed);
    },
  );

  it('is added by the credential, which is a function for n8n', async () => {
    const { authenticate } = new AftermeetApi();
    if (typeof authenticate !== 'function') throw new Error('not a function');
    const url = 'https://service.example/api/video';
    expect(await authenticate(credential, { url })).toMatchObject({ headers: { 'X-API-KEY': apiKey } });
  });
});

describe('AftermeetApi', () => {
  it('is tested with a request that changes nothing and follows no redirect', async () => {
    const { request, rules } = new AftermeetApi().test;
    expect(request).toEqual({
      baseURL: '={{$credentials.baseUrl.trim()}}',
      url: '/api/workspaces/active/tags',
      qs: { perPage: 1 },
      disableFollowRedirect: true,
    });
    expect(rules?.map(({ properties }) => 'value' in properties && properties.value)).toEqual([
      401, 402, 403, 404, 301, 302, 303, 307, 308,
    ]);
    const sandbox = createSandbox({ apiKey });
    try {
      const { url } = await sandbox.listen();
      const ask = async (key: string): Promise<number> => {
        const address = `${url}${request.url ?? ''}?perPage=1`;
        const { headers } = signRequest({ baseUrl: url, apiKey: key }, { url: address });
        return (await fetch(address, { headers: { ...headers } as Record<string, string> })).status;
      };
      expect(await ask(apiKey)).toBe(200);
      expect(await ask('another_key')).toBe(401);
    } finally {
      await sandbox.close();
    }
  });

  it('hides the key while it is typed, and nothing else', () => {
    expect(listHidden(new AftermeetApi())).toEqual(['apiKey']);
  });
});

describe('AftermeetWebhookApi', () => {
  const secret = 'N4vJq8Zt2LkWx7Rb';
  const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it('hides its secrets while they are typed, and sends nothing', () => {
    const type = new AftermeetWebhookApi();
    expect(listHidden(type)).toEqual(['secret', 'previousSecret', 'olderSecret']);
    expect(type).not.toHaveProperty('authenticate');
    expect(type).not.toHaveProperty('test');
  });

  it.each([
    { signedBy: 'service', secret },
    { signedBy: 'service', secret, previousSecret: 'secretsecretsecret', olderSecret: 'x'.repeat(128) },
    { signedBy: 'receiver', secret },
    { signedBy: 'receiver', secret: whsec, previousSecret: '', olderSecret: secret },
  ])('takes %j', async (data) => {
    expect(describeBadSecrets(data)).toBeUndefined();
    expect(await checkWebhookSecrets({ id: '1', name: 'a', type: 'aftermeetWebhookApi', data })).toEqual({
      status: 'OK',
      message: 'The form is right; whether the secret is shows with the first delivery',
    });
  });

  it.each([
    [{}, 'Secret is empty'],
    [{ secret: 'N4vJq8Zt2LkWx7R' }, 'Secret is shorter than 16 characters'],
    [{ secret: `${secret}\n` }, 'Secret begins or ends with white space'],
    [{ secret: 'x'.repeat(129) }, 'Secret is longer than 128 characters'],
    [{ secret: 'changeme-changeme-1' }, 'Secret is made of common words and digits'],
    [{ secret, previousSecret: 'short' }, 'Previous Secret must have 16 to 128 characters'],
    [
      { signedBy: 'receiver', secret: whsec, previousSecret: 'whsec_mistyped_mistyped' },
      'Previous Secret begins with whsec_, which the Base64 of 24 to 64 bytes must follow',
    ],
    [{ secret, olderSecret: secret }, 'Secret Before That is the same as another one'],
    [
      { signedBy: 'receiver', secret: 'whsec_AAAA' },
      'Secret begins with whsec_, which the Base64 of 24 to 64 bytes must follow',
    ],
  ])('refuses %j', async (data, message) => {
    expect(describeBadSecrets(data)).toBe(message);
    const tested = await checkWebhookSecrets({ id: '1', name: 'a', type: 'aftermeetWebhookApi', data });
    expect(tested).toEqual({ status: 'Error', message });
  });
});

function listHidden({ properties }: AftermeetApi | AftermeetWebhookApi): readonly string[] {
  return properties.filter(({ typeOptions }) => typeOptions?.password === true).map(({ name }) => name);
}
