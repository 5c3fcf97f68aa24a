import { inspect } from 'node:util';

import { ServiceError } from '@aftermeet/client/pure';
import { describe, expect, it } from 'vitest';

import { explainFailure, explainRequestFault } from '../../../nodes/nodes/Aftermeet/transport/errors.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext, type NodeContextOptions } from './support/n8n-context.ts';
import { serve, shareSandbox } from './support/serve.ts';

const start = findOperation('recording', 'start');

const apiKey = 'key-5Qz8vT2mXw7Lr4Kp';
const webhookSecret = 'hook-secret/9+Jf3=Ns6';
const link = 'https://meet.example.com/door-8842';
const options = { webhookUrl: 'https://n8n.example.com/webhook/door-1137' };
const node = {
  id: 'n',
  name: 'Aftermeet',
  type: 'n8n-nodes-aftermeet.aftermeet',
  typeVersion: 1,
  position: [0, 0] as [number, number],
  parameters: { link, options: { ...options, title: 'x' } },
};

const shared = shareSandbox({ apiKey });
const { sandbox } = shared;

/** Starts a recording, with every secret that there is; answers what n8n would show. */
async function failAt(baseUrl: string, given: NodeContextOptions = {}) {
  const { execute, requests } = createNodeContext({
    baseUrl,
    apiKey,
    credential: { webhookSecret },
    description: start.description,
    parameters: { link, title: 'Board meeting', options },
    ...given,
  });
  const error: unknown = await start.execute(execute, 0).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return { error, failure: explainFailure(node, error, 3), requests };
}

/** Everything that a log, an item or n8n's own records could hold of an error. */
function writeOut(error: unknown): string {
  return [
    JSON.stringify(error),
    inspect(error, { depth: 20 }),
    error instanceof Error ? error.stack : '',
  ].join();
}

const secrets = [apiKey, webhookSecret, 'door-8842', 'door-1137', 'Board meeting'];

function expectNoSecret(error: unknown): void {
  const text = writeOut(error);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

describe('a failure', () => {
  it('says first what the service said, and then what to do', async () => {
    const { failure } = await failAt(shared.url, { apiKey: 'another-key' });
    expect(failure).toMatchObject({
      name: 'NodeApiError',
      message: 'The API key is not valid: it is another one, or a new one has replaced it.',
      httpCode: '401',
      context: { itemIndex: 3 },
    });
    expect(failure.description).toBe(
      'Check the API Key in the credential. A new key makes the old one invalid at once. (recordings.start: POST /api/record-meeting answered 401: The API key is not valid: it is another one, or a new one has replaced it.)',
    );
  });

  it.each([400, 402, 403, 404, 409])('keeps the words of a %i, where n8n has its own', async (status) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"code":"SOME_CODE","message":"The shelf is empty (ENOENT)."}');
    });
    const { failure } = await failAt(url);
    expect(failure).toMatchObject({ message: 'The shelf is empty (ENOENT).', httpCode: String(status) });
  });

  // A meeting, a template and a block that there are not: route.test.ts and report.test.ts.
  it.each([
    ['No tag has this tag_id.', /^Check the ID of the tag: Tag: Get Many lists them\./],
    ['The report was not made from this template; generate it first.', /^Check the template: it has to be/],
    [
      'Processing of this meeting failed, and it has no report: gone',
      /^There is no report of this meeting: it is not over, or it failed\./,
    ],
    ['Nothing here.', /^Check the ID\. It has to be of the workspace/],
  ])('advises by what was not found: %s', (detail, advice) => {
    const error = new ServiceError({ code: 'not_found', operation: 'reports.get', status: 404, detail });
    expect(explainFailure(node, error, 0).description).toMatch(advice);
  });

  it('says how long the service asks to be left alone, and never to have n8n repeat a write', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': '120' }).end('slow down');
    });
    const { failure } = await failAt(url);
    expect(failure).toMatchObject({
      message: 'Slow down',
      description:
        'The service was asked too often. Run this later, or with fewer items at a time. It asks to be left alone for 120 seconds. (recordings.start: POST /api/record-meeting answered 429: slow down)',
    });
  });

  it('says what was refused before anything was sent; without labels a field goes by its name', async () => {
    const { failure } = await failAt(shared.url, { parameters: { link: 'nope' } });
    expect(failure).toMatchObject({
      name: 'NodeOperationError',
      message: 'link must be a web address that begins with http:// or https://; found text of length 4',
    });
  });

  it('never advises to send a write again that is ambiguous', async () => {
    sandbox.faults.add({ kind: 'drop_after' });
    const { error, failure, requests } = await failAt(shared.url);
    expect(requests).toHaveLength(1);
    expect(error).toMatchObject({ code: 'ambiguous', verifyWith: { operation: 'meetings.search' } });
    expect(failure.message).toContain('UND_ERR_SOCKET');
    expect(failure.description).toMatch(
      /^It was not sent again, because it may have taken effect\. Look with Meeting: Get Many/,
    );
    expect(failure.description).toContain('check with meetings.search before you send it again');
    expect(failure).toMatchObject({ httpCode: null });
  });

  it('follows no redirect, for the key would go along', async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(String(request.url));
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await failAt(url)).failure).toMatchObject({
      message: expect.stringMatching(/^Redirects are not followed/),
      httpCode: '302',
    });
    expect(seen).toEqual(['/api/record-meeting']);
  });
});

describe('no secret', () => {
  it.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 400 },
    { kind: 'reset' },
    { kind: 'empty' },
    { kind: 'garbage' },
    { kind: 'drop_after' },
    { kind: 'cut' },
  ] as const)('is in the failure after %j', async (fault) => {
    sandbox.faults.add(fault);
    expectNoSecret((await failAt(shared.url)).failure);
  });

  it('is in the failure of a service that echoes the request, also of a key pasted with white space', async () => {
    const url = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { webhook_secret: secret } = JSON.parse(Buffer.concat(pieces).toString()) as Record<
          string,
          string
        >;
        const message = `no: ${String(request.headers['x-api-key'])} and ${secret ?? ''}`;
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
      });
    });
    const { failure } = await failAt(url, { apiKey: ` ${apiKey}\n` });
    const text = writeOut(failure);
    expect([apiKey, webhookSecret].filter((secret) => text.includes(secret))).toEqual([]);
    expect(failure.message).toBe('No: [hidden] and [hidden]');
  });

  it('is in a failure that another part of n8n made around a request', () => {
    const failure = explainFailure(node, makeRefusal(), 0);
    expect(failure.message).toBe(
      'Nothing listens at the port of the address in the credential (ECONNREFUSED)',
    );
    expect(failure.description).toMatch(/^Check the address in the credential, with its host and port/);
    expectNoSecret(failure);
  });
});

interface FaultLayers {
  /** Of Node.js, and of axios around it. */
  readonly code?: string;
  readonly message?: string;
  readonly syscall?: string;
  /** What axios calls its own error, which has none of Node.js within it. */
  readonly name?: string;
}

/** What `httpRequestWithAuthentication` of n8n 2.41.1 throws: its own error, around that of axios, around that of Node.js. */
function makeN8nFault({ message = 'x', name, ...facts }: FaultLayers): Error {
  const cause = name === undefined ? Object.assign(new Error(message), facts) : undefined;
  const config = { headers: { 'X-API-KEY': apiKey }, data: `{"webhook_secret":"${webhookSecret}"}` };
  const { code } = facts;
  const axios = Object.assign(new Error(message, { cause }), { code, config, ...(name && { name }) });
  const words = 'The service refused the connection - perhaps it is offline';
  return Object.assign(new Error(words, { cause: axios }), { name: 'NodeApiError', httpCode: code });
}

function makeRefusal(): Error {
  const message = 'connect ECONNREFUSED 127.0.0.1:33081';
  return makeN8nFault({ code: 'ECONNREFUSED', message, syscall: 'connect' });
}

describe('what n8n throws', () => {
  const hopeless = { code: 'connection', unsent: true, retryable: false };
  const unsent = { code: 'connection', unsent: true, retryable: true };
  const sent = { code: 'connection', unsent: false, retryable: true };

  // Each as n8n-core 2.41.1 with axios 1.21.1 was seen to throw it.
  it.each<[string, FaultLayers, object]>([
    ['a host that is not known', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, unsent],
    ['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect' }, unsent],
    ['a connection that took too long', { code: 'ETIMEDOUT', syscall: 'connect' }, unsent],
    ['a reset', { code: 'ECONNRESET', syscall: 'read' }, sent],
    ['a connection that ended without an answer', { code: 'ECONNRESET', message: 'socket hang up' }, sent],
    ['an answer that is no HTTP', { code: 'HPE_INVALID_CONSTANT' }, sent],
    [
      'a timeout',
      { code: 'ECONNABORTED', message: 'timeout of 500ms exceeded', name: 'AxiosError' },
      { code: 'timeout', detail: 'no answer in 500 ms', unsent: false, retryable: true },
    ],
    [
      'a cancelled execution',
      { code: 'ERR_CANCELED', message: 'canceled', name: 'CanceledError' },
      { code: 'aborted', detail: undefined, unsent: false, retryable: false },
    ],
    [
      'a certificate that is not signed by an authority',
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      {
        ...hopeless,
        detail: 'the certificate of the service is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
      },
    ],
    [
      'https where there is none',
      { code: 'EPROTO', message: 'write EPROTO: wrong version number', syscall: 'write' },
      { ...hopeless, detail: 'the service does not speak https (EPROTO)' },
    ],
    [
      'an address that n8n does not allow',
      { message: 'The request was blocked', name: 'SsrfBlockedIpError' },
      { ...hopeless, detail: 'n8n does not let requests go to this address (SsrfBlockedIpError)' },
    ],
  ])('is understood: %s', (_what, layers, expected) => {
    const error = explainRequestFault(makeN8nFault(layers), { operation: 'x', timeoutMs: 500 });
    expect(error).toMatchObject({ name: 'ServiceError', detail: layers.code, ...expected });
    expectNoSecret(error);
  });

  it('is the end of the execution where that was cancelled, whatever it looks like', () => {
    const signal = AbortSignal.abort();
    expect(explainRequestFault(makeRefusal(), { operation: 'x', signal })).toMatchObject({ code: 'aborted' });
  });
});
