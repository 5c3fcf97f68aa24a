import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { ServiceError } from './service-error.ts';

const API_KEY = 'key_for_tests_only';
const servers: (() => void)[] = [];

afterEach(() => {
  for (const stop of servers.splice(0)) stop();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error('expected a ServiceError', { cause: error });
  return error;
}

describe('readReport', () => {
  it('asks with the key and the meeting, and reads the report', async () => {
    const seen: string[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ followup_v2: { name: 'Sync' } }));
    });
    const answer = await createClient({ baseUrl: `${baseUrl}/`, apiKey: API_KEY }).readReport('m 1&x');
    expect(answer).toMatchObject({ ready: true, report: { title: 'Sync', meetingId: 'm 1&x' } });
    expect(seen).toEqual([`GET /api/video/report?meeting_id=m+1%26x ${API_KEY}`]);
  });

  it('says that a report is not ready, with the service’s own word', async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(202).end('Meeting is in progress now, status: processing');
    });
    expect(await createClient({ baseUrl, apiKey: API_KEY }).readReport('m')).toEqual({
      ready: false,
      status: 'processing',
    });
  });

  it('takes `new` for ready and `queued` inside a report for not ready', async () => {
    let status = 'new';
    const baseUrl = await serve((_request, response) => {
      response.end(JSON.stringify({ followup_v2: { name: 'n', status } }));
    });
    const client = createClient({ baseUrl, apiKey: API_KEY });
    expect(await client.readReport('m')).toMatchObject({ ready: true });
    status = 'queued';
    expect(await client.readReport('m')).toEqual({ ready: false, status: 'queued' });
  });

  it.each([
    '{}',
    '{"error":"maintenance","message":"be back soon"}',
    '{"title":{"a":1},"summary":[1]}',
    '[]',
    '<html>',
  ])('takes %s for no report yet, not for an empty one', async (text) => {
    const baseUrl = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json').end(text);
    });
    expect(await createClient({ baseUrl, apiKey: API_KEY }).readReport('m')).toMatchObject({ ready: false });
  });

  it.each([
    [400, 'bad_request', false],
    [401, 'unauthorized', false],
    [404, 'not_found', false],
    [408, 'unexpected_status', true],
    [429, 'rate_limited', true],
    [500, 'server', true],
    [503, 'server', true],
  ] as const)('answers %d with code %s', async (status, code, retryable) => {
    const baseUrl = await serve((_request, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' })
        .end(JSON.stringify({ code: 'X', message: 'Something\nhappened' }));
    });
    const error = await failureOf(createClient({ baseUrl, apiKey: API_KEY }).readReport('m'));
    expect(error).toMatchObject({ code, status, retryable, retryAfterMs: 7000 });
    expect(error.message).toBe(`reports.get: GET /api/video/report answered ${status}: Something happened`);
    expect(error.message).not.toContain(API_KEY);
  });

  it('does not follow a redirect with the key', async () => {
    let visits = 0;
    const elsewhere = await serve((_request, response) => {
      visits += 1;
      response.end('{}');
    });
    const baseUrl = await serve((_request, response) => {
      response.writeHead(302, { location: `${elsewhere}/api/video/report` }).end();
    });
    expect((await failureOf(createClient({ baseUrl, apiKey: API_KEY }).readReport('m'))).code).toBe(
      'redirected',
    );
    expect(visits).toBe(0);
  });

  it('tells a refused connection, a timeout and an abort apart', async () => {
    const closed = await serve(() => {});
    for (const stop of servers.splice(0)) stop();
    const refused = createClient({ baseUrl: closed, apiKey: API_KEY });
    expect(await failureOf(refused.readReport('m'))).toMatchObject({
      code: 'connection',
      detail: 'ECONNREFUSED',
    });

    const silent = await serve(() => {});
    const impatient = createClient({ baseUrl: silent, apiKey: API_KEY, timeoutMs: 50 });
    expect(await failureOf(impatient.readReport('m'))).toMatchObject({ code: 'timeout', retryable: true });

    const patient = createClient({ baseUrl: silent, apiKey: API_KEY });
    const aborted = patient.readReport('m', { signal: AbortSignal.abort() });
    expect(await failureOf(aborted)).toMatchObject({ code: 'aborted', retryable: false });
  });

  it('says connection when the body breaks off', async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"followup_v2"');
      setImmediate(() => response.destroy());
    });
    expect((await failureOf(createClient({ baseUrl, apiKey: API_KEY }).readReport('m'))).code).toBe(
      'connection',
    );
  });
});

describe('recordings', () => {
  it('starts a recording and finds the meeting in the answer', async () => {
    const bodies: string[] = [];
    const baseUrl = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => response.end(JSON.stringify({ meeting_id: 7 })));
    });
    const client = createClient({ baseUrl, apiKey: API_KEY });
    const started = await client.recordings.start({
      link: 'https://meet.example/abc',
      source: 'gmeet',
      title: 'T',
    });
    expect(started.meetingId).toBe('7');
    expect(bodies.join('')).toBe('{"link":"https://meet.example/abc","source":"gmeet","title":"T"}');
  });

  it('refuses a wrong input before anything is sent', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: API_KEY });
    const error = await failureOf(client.recordings.start({ link: 'no address' }));
    expect(error).toMatchObject({ code: 'bad_request', status: undefined });
    expect(error.message).toContain('link');
  });

  it('reads a status in plain text, and an unknown word as unknown', async () => {
    let word = 'new';
    const baseUrl = await serve((_request, response) => {
      response.end(word);
    });
    const client = createClient({ baseUrl, apiKey: API_KEY });
    expect(await client.recordings.status('m')).toEqual({ phase: 'ready', status: 'new' });
    word = 'paused';
    expect(await client.recordings.status('m')).toEqual({ phase: 'unknown', status: 'paused' });
  });
});
