import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { describeBadSecrets } from '../../../nodes/credentials/describe-bad-secrets.ts';
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
    'https://service.example/meet/../api',
    'https://service.example/meet/%2e%2e/api',
    'https://service.example/meeting',
    'https://service.example/elsewhere/meet/api',
    'https://service.example/meet',
    'https://service.example/',
    'javascript:alert(1)',
    '/api/video',
    '',
  ])('to %j it does not go, and neither does the request', (url) => {
    const within = { ...credential, baseUrl: 'https://service.example/meet' };
    expect(() => signRequest(within, { url })).toThrow(
      "The API key goes to the credential's Base Address and MCP Address only",
    );
  });

  it.each(['', 'service', 'ftp://service.example', 7])('says so when the base address is %j', (baseUrl) => {
    expect(() => signRequest({ ...credential, baseUrl }, { url: '/api/video' })).toThrow(
      'The Base Address in the credential must be a web address that begins with https:// or http://',
    );
  });

  it('to no other origin, whatever is asked', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        expect(() => signRequest(credential, { url: `https://${host}/api/video` })).toThrow('only');
      }),
    );
  });

  it("is added to, and kept from, requests of n8n's HTTP Request node, which calls the address uri", async () => {
    const { authenticate } = new AftermeetApi();
    if (typeof authenticate !== 'function') throw new Error('not a function');
    const ask = (uri: string) => authenticate(credential, { uri } as never);
    expect(await ask('https://service.example/api/video')).toMatchObject({
      headers: { 'X-API-KEY': apiKey },
    });
    await expect(ask('https://evil.example/api/video')).rejects.toThrow('only');
  });

  it.each(['https://service.example/api/video', 'https://mcp.example/mcp'])(
    'does not follow a redirect of %s, whatever the node says',
    (url) => {
      const eager = { disableFollowRedirect: false, followRedirect: true, followAllRedirects: true };
      expect(signRequest(credential, { ...eager, url })).toMatchObject(unfollowed);
    },
  );

  it.each([
    [{}, 'The credential has no Base Address and no API Key: only the Aftermeet Trigger can use it'],
    [{ baseUrl: ' ', mcpUrl: '', apiKey }, 'The credential has no Base Address and no API Key'],
    [{ ...credential, apiKey: ' ' }, 'The credential has no API Key'],
  ])('says what a credential for the trigger alone misses: %j', (data, message) => {
    expect(() => signRequest(data, { url: 'https://service.example/api/video' })).toThrow(message);
  });
});

describe('AftermeetApi', () => {
  // That the service answers it 200 and 401 is played in n8n's engine.
  it('is tested with a request that changes nothing and follows no redirect', () => {
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
  });

  it('hides the key and the secrets while they are typed, and nothing else', () => {
    const hidden = new AftermeetApi().properties.filter(({ typeOptions }) => typeOptions?.password === true);
    const names = hidden.map(({ name }) => name);
    expect(names).toEqual(['apiKey', 'webhookSecret', 'previousSecret', 'olderSecret']);
  });

  it('demands nothing: the trigger needs secrets alone, the other nodes the key alone', () => {
    expect(new AftermeetApi().properties.filter(({ required }) => required === true)).toEqual([]);
  });
});

describe('the form of the webhook secrets', () => {
  const secret = 'N4vJq8Zt2LkWx7Rb';
  const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it.each([
    { signedBy: 'service', webhookSecret: secret },
    {
      signedBy: 'service',
      webhookSecret: secret,
      previousSecret: 'secretsecretsecret',
      olderSecret: 'x'.repeat(128),
    },
    { signedBy: 'receiver', webhookSecret: secret },
    { signedBy: 'receiver', webhookSecret: whsec, previousSecret: '', olderSecret: secret },
  ])('takes %j', (data) => {
    expect(describeBadSecrets(data)).toBeUndefined();
  });

  it.each([
    [{}, 'Webhook Secret is empty'],
    [{ webhookSecret: 'N4vJq8Zt2LkWx7R' }, 'Webhook Secret is shorter than 16 characters'],
    [{ webhookSecret: `${secret}\n` }, 'Webhook Secret begins or ends with white space'],
    [{ webhookSecret: 'x'.repeat(129) }, 'Webhook Secret is longer than 128 characters'],
    [{ webhookSecret: 'changeme-changeme-1' }, 'Webhook Secret is made of common words and digits'],
    [{ webhookSecret: secret, previousSecret: 'short' }, 'Previous Secret must have 16 to 128 characters'],
    [
      { signedBy: 'receiver', webhookSecret: whsec, previousSecret: 'whsec_mistyped_mistyped' },
      'Previous Secret begins with whsec_, which the Base64 of 24 to 64 bytes must follow',
    ],
    [{ webhookSecret: secret, olderSecret: secret }, 'Secret Before That is the same as another one'],
    [
      { signedBy: 'receiver', webhookSecret: 'whsec_AAAA' },
      'Webhook Secret begins with whsec_, which the Base64 of 24 to 64 bytes must follow',
    ],
  ])('refuses %j', (data, message) => {
    expect(describeBadSecrets(data)).toBe(message);
  });
});
