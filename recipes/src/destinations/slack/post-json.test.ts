import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { classifySlackError } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { openPostJson } from './post-json.ts';

const token = 'xoxb-not-to-be-shown';
const message = {
  channel: 'C1',
  text: 'Zoë’s “weekly” 👍',
  metadata: { event_type: 'e', event_payload: { a: 1 } },
};

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;

async function serve(answer: Answer): Promise<string> {
  const server = http
    .createServer((request, response) => void answer(request, response))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/`;
}

function fail(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const say =
  (status: number, body: string, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

describe('a message as JSON', () => {
  it('is what Slack gets, with the token', async () => {
    const seen: unknown[] = [];
    const apiUrl = await serve(async (request, response) => {
      request.setEncoding('utf8');
      let body = '';
      for await (const piece of request) body += String(piece);
      seen.push(
        request.url,
        request.headers.authorization,
        request.headers['content-type'],
        JSON.parse(body),
      );
      response.writeHead(200).end('{"ok":true,"channel":"C1","ts":"1.2"}');
    });
    // Its settings may leave out the slash at the end.
    const post = openPostJson({ token, apiUrl: apiUrl.slice(0, -1) });
    expect(await post(message, 1000)).toEqual({ ok: true, channel: 'C1', ts: '1.2', error: '' });
    expect(seen).toEqual([
      '/api/chat.postMessage',
      `Bearer ${token}`,
      'application/json; charset=utf-8',
      message,
    ]);
  });

  it.each<[string, Answer]>([
    ['a rate limit', say(429, '', { 'retry-after': '7' })],
    ['a rate limit in no seconds', say(429, '', { 'retry-after': 'soon' })],
    ['a rate limit without a time', say(429, '{"ok":false}')],
    ['a refused token', say(200, '{"ok":false,"error":"invalid_auth"}')],
    ['a missing scope', say(200, '{"ok":false,"error":"missing_scope","needed":"chat:write"}')],
    ['a refused channel', say(200, '{"ok":false,"error":"channel_not_found"}')],
    ['an internal error', say(200, '{"ok":false,"error":"internal_error"}')],
    ['a page of a proxy', say(200, '<html>Sign in</html>')],
    ['half of an answer', say(200, '{"ok":tr')],
    ['HTTP 404', say(404, 'no')],
    ['HTTP 408', say(408, 'no')],
    ['HTTP 500', say(500, '{"ok":false,"error":"fatal_error"}')],
    ['a redirect', say(302, '', { location: 'https://example.com/' })],
    ['an end before the answer', (request) => request.socket.destroy()],
    [
      'an end within the answer',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"ok":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['silence', () => {}],
  ])('fails as through the SDK, without the token: %s', async (_what, answer) => {
    const apiUrl = await serve(answer);
    const settings = { token, apiUrl };
    const ours = await fail(openPostJson(settings)(message, 300));
    const theirs = await fail(openSlackClient(settings, 300).chat.postMessage(message));
    expect(classifySlackError(ours)).toEqual(classifySlackError(theirs));
    expect(`${JSON.stringify(ours)} ${(ours as Error).stack ?? ''}`).not.toContain(token);
  });

  it.each(['{}', '[]', 'null', '{"ok":false}', 'OK'])('may be posted after the answer %s', async (body) => {
    const post = openPostJson({ token, apiUrl: await serve(say(200, body)) });
    expect(classifySlackError(await fail(post(message, 1000)))).toMatchObject({ result: 'unknown' });
  });
});
