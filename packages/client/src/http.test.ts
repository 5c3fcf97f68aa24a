import type { Socket } from 'node:net';
import { inspect } from 'node:util';

import { operations } from '@aftermeet/contract';
import { afterEach, describe, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { AmbiguousWriteError } from './errors.ts';
import type { ServiceError } from './errors.ts';
import { type Connection, sendRequest } from './http.ts';
import { catchFault } from './testing/catch-fault.ts';
import { createFakeTime, FAKE_START_MS } from './testing/fake-time.ts';
import { makeConnection, TEST_KEY } from './testing/make-connection.ts';
import { type AnswerRequest, createTestServers } from './testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

const WEBHOOK_SECRET = 'a webhook secret of the tests';

type Ask = (connection: Connection, signal?: AbortSignal) => Promise<unknown>;

const edit = { meetingId: 'm', templateId: 't', entityName: 'summary', newSummaryText: 'new' };

/** Those that may be sent again, one for each method. */
const repeatable: readonly (readonly [string, Ask])[] = [
  ['GET', (connection) => createClient(connection).recordings.status('m')],
  ['PUT', (connection) => createClient(connection).reports.editBlock(edit)],
  ['DELETE', (connection) => createClient(connection).recordings.cancel('m')],
  ['POST (stop)', (connection) => createClient(connection).recordings.stop('m')],
];

const start: Ask = (connection, signal) =>
  createClient(connection).recordings.start(
    {
      link: 'https://meet.example/secret-room',
      title: 'Board meeting of Acme',
      webhookUrl: 'https://hooks.example/hooks/a/capability',
      webhookSecret: WEBHOOK_SECRET,
    },
    signal === undefined ? {} : { signal },
  );

const writes: readonly (readonly [string, Ask, unknown])[] = [
  [
    'recordings.start',
    start,
    { operation: 'meetings.search', input: { q: 'Board meeting of Acme', dateFrom: '2026-07-07' } },
  ],
  [
    'reports.generate',
    (connection) => createClient(connection).reports.generate({ meetingId: 'm7', templateName: 'team-sync' }),
    { operation: 'reports.get', input: { meetingId: 'm7' } },
  ],
  [
    'tags.create',
    (connection) => createClient(connection).tags.create({ name: 'Sales' }),
    { operation: 'tags.list', input: {} },
  ],
];

const badSocket = (act: (socket: Socket) => void): AnswerRequest => {
  return (request) => {
    request.resume();
    request.on('end', () => act(request.socket));
  };
};

const answerStatus = (status: number): AnswerRequest => {
  return (_request, response) => void response.writeHead(status).end('upstream gone');
};

/** After each of these it is unknown whether the service did what it was asked to. */
const ambiguous: readonly (readonly [string, AnswerRequest, string])[] = [
  ['a reset', badSocket((socket) => socket.resetAndDestroy()), 'connection'],
  ['a closed socket', badSocket((socket) => socket.destroy()), 'connection'],
  ['garbage', badSocket((socket) => socket.end('!! this is no HTTP\r\n\r\n')), 'connection'],
  [
    'a cut body',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"meeting_id"');
      setImmediate(() => response.destroy());
    },
    'connection',
  ],
  [
    'a broken chunk',
    badSocket((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"id":1}\r\n0\r\n\r\n'),
    ),
    'connection',
  ],
  ['silence', () => {}, 'timeout'],
  [
    'silence within the body',
    (_request, response) => {
      response.writeHead(200).write('{"meeting_id"');
    },
    'timeout',
  ],
  ['408', answerStatus(408), 'unexpected_status'],
  ['500', answerStatus(500), 'server'],
  ['503', answerStatus(503), 'server'],
];

/** Fails the first times in the given way, then answers well. */
function failFirst(times: number, fail: AnswerRequest): { answer: AnswerRequest; seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    answer(request, response) {
      seen.push(`${request.method}`);
      if (seen.length <= times) fail(request, response);
      else response.end(JSON.stringify({ status: 'new', meeting_id: 'm1', tag: { id: 't1' } }));
    },
  };
}

describe('what may be repeated', () => {
  it.each(ambiguous)('is repeated after %s', async (_name, fail, code) => {
    // The good answer must come within the same time as the silence.
    const isSlow = code === 'timeout';
    for (const [, ask] of isSlow ? repeatable.slice(0, 1) : repeatable) {
      const { answer, seen } = failFirst(isSlow ? 1 : 2, fail);
      const time = createFakeTime();
      const baseUrl = await servers.start(answer);
      await ask(makeConnection(baseUrl, { ...time, retries: 2, timeoutMs: isSlow ? 400 : 5000 }));
      expect(seen).toHaveLength(isSlow ? 2 : 3);
      expect(time.waits).toEqual(isSlow ? [500] : [500, 1000]);
    }
  });
});

describe('what is refused', () => {
  it.each([400, 401, 402, 403, 404, 409, 410, 418, 302])(
    'with %d is not repeated, nor in doubt where it is a write',
    async (status) => {
      for (const [, ask] of [...repeatable, ...writes]) {
        const { answer, seen } = failFirst(1, (_request, response) => {
          response.writeHead(status, { location: '/elsewhere' }).end();
        });
        const baseUrl = await servers.start(answer);
        const error = await catchFault(ask(makeConnection(baseUrl, { ...createFakeTime(), retries: 3 })));
        expect(error).not.toBeInstanceOf(AmbiguousWriteError);
        expect(error).toMatchObject({ status, retryable: false });
        expect(seen).toHaveLength(1);
      }
    },
  );

  it.each([425, 429])('with %d is repeated, a write too, as Retry-After asks', async (status) => {
    for (const [, ask] of [...repeatable, ...writes]) {
      for (const [header, waitMs] of [
        [undefined, 500],
        ['3', 3500],
        ['Tue, 07 Jul 2026 12:00:03 GMT', 3500],
      ] as const) {
        const { answer, seen } = failFirst(1, (_request, response) => {
          response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end();
        });
        const time = createFakeTime();
        const baseUrl = await servers.start(answer);
        await ask(makeConnection(baseUrl, { ...time, retries: 1 }));
        expect(seen).toHaveLength(2);
        expect(time.waits).toEqual([waitMs]);
      }
    }
  });
});

describe('a second try', () => {
  const link = { meetingId: 'm', tagId: 't' };
  const stop: Ask = (connection) => createClient(connection).recordings.stop('m');
  const askAll: readonly (readonly [string, Ask, string])[] = [
    ['recordings.stop', stop, 'recordings.status'],
    [
      'recordings.cancel',
      (connection) => createClient(connection).recordings.cancel('m'),
      'recordings.status',
    ],
    ['tags.attach', (connection) => createClient(connection).tags.attach(link), 'meetings.search'],
    ['tags.detach', (connection) => createClient(connection).tags.detach(link), 'meetings.search'],
  ];

  async function askTwice(ask: Ask, first: number, second: number): Promise<ServiceError> {
    let asked = 0;
    const baseUrl = await servers.start((_request, response) => {
      asked += 1;
      if (asked === 1 && first === 0) response.destroy();
      else response.writeHead(asked === 1 ? first : second).end('No such thing');
    });
    return catchFault(ask(makeConnection(baseUrl, { ...createFakeTime(), retries: 2 })));
  }

  it.each(askAll)(
    'of %s that finds nothing left says that the first may have done it',
    async (_id, ask, look) => {
      const first = await askTwice(ask, 0, 404);
      expect(first).toMatchObject({ code: 'not_found', detail: 'No such thing', checkWith: look });
      expect(first.message).toContain(`an earlier attempt may have succeeded: check with ${look}`);
      expect(await askTwice(ask, 502, 409)).toMatchObject({
        code: 'conflict',
        status: 409,
        retryable: false,
        checkWith: look,
      });
    },
  );

  it('says nothing of it after a refusal, and of other answers', async () => {
    for (const [first, second] of [
      [429, 404],
      [425, 409],
      [404, 404],
      [502, 403],
    ] as const) {
      expect(await askTwice(stop, first, second)).toMatchObject({
        detail: 'No such thing',
        checkWith: undefined,
      });
    }
    const read: Ask = (connection) => createClient(connection).reports.get('m');
    expect(await askTwice(read, 502, 404)).toMatchObject({ code: 'not_found', detail: 'No such thing' });
  });
});

describe('a write that must not happen twice', () => {
  it.each(ambiguous)('is not repeated after %s, but says how to settle it', async (_name, fail, code) => {
    for (const [id, ask, verifyWith] of writes) {
      const { answer, seen } = failFirst(1, fail);
      const baseUrl = await servers.start(answer);
      const timeoutMs = code === 'timeout' ? 50 : 5000;
      const connection = makeConnection(baseUrl, { clock: () => FAKE_START_MS, retries: 3, timeoutMs });
      const error = await catchFault(ask(connection));
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({ code: 'ambiguous', retryable: false, cause: { code } });
      expect(error).toMatchObject({ verifyWith });
      expect(error.operation).toContain(id);
      expect(error.message).toMatch(
        /; it may have taken effect: check with [a-zA-Z.]+ before you send it again$/,
      );
      // Of silence: the request may still be on its way.
      expect(seen.length).toBeLessThanOrEqual(1);
    }
  });

  it('is repeated when nobody took the connection', async () => {
    const baseUrl = await servers.start(() => {});
    await servers.stopAll();
    for (const [, ask] of writes) {
      const time = createFakeTime();
      const error = await catchFault(ask(makeConnection(baseUrl, { ...time, retries: 2 })));
      expect(error).toMatchObject({ code: 'connection', detail: 'ECONNREFUSED', unsent: true });
      expect(time.waits).toEqual([500, 1000]);
    }
  });

  it('says so when the caller gave it up half way', async () => {
    const controller = new AbortController();
    const baseUrl = await servers.start(() => controller.abort());
    const error = await catchFault(start(makeConnection(baseUrl), controller.signal));
    expect(error).toMatchObject({ code: 'aborted', mayHaveTakenEffect: true, unsent: false });
    const before = await catchFault(start(makeConnection(baseUrl), AbortSignal.abort()));
    expect(before).toMatchObject({ code: 'aborted', mayHaveTakenEffect: false, unsent: true });
  });
});

describe('the key', () => {
  it.each([301, 302, 303, 307, 308])('does not follow a %d', async (status) => {
    const visits: string[] = [];
    const elsewhere = await servers.start((request, response) => {
      visits.push(String(request.url));
      response.end('{}');
    });
    const baseUrl = await servers.start((_request, response) => {
      response.writeHead(status, { location: `${elsewhere}/api/meeting/status` }).end('moved');
    });
    for (const [, ask] of [...repeatable, ...writes]) {
      const error = await catchFault(ask(makeConnection(baseUrl, { ...createFakeTime(), retries: 2 })));
      const code = error instanceof AmbiguousWriteError && status === 303 ? 'ambiguous' : 'redirected';
      expect(error).toMatchObject({ code, status, retryable: false });
      expect(error.detail).toContain(
        code === 'ambiguous' ? 'the answer points to another address' : 'redirects',
      );
      expect(error.message).not.toContain(elsewhere);
    }
    expect(visits).toEqual([]);
  });

  it('is not trusted to a fetch that follows redirects all the same', async () => {
    const answers = [
      Object.defineProperty(new Response('{}'), 'redirected', { value: true }),
      Object.defineProperties(new Response(null), {
        status: { value: 0 },
        ok: { value: false },
        type: { value: 'opaqueredirect' },
      }),
    ];
    for (const answer of answers) {
      const connection = makeConnection('http://127.0.0.1:9', { fetch: () => Promise.resolve(answer) });
      expect((await catchFault(createClient(connection).recordings.status('m'))).code).toBe('redirected');
    }
  });

  it('goes out as X-API-KEY, with a body only where there is one', async () => {
    const seen: unknown[] = [];
    const baseUrl = await servers.start((request, response) => {
      const { 'x-api-key': key, 'content-type': type, authorization } = request.headers;
      seen.push([request.method, key, type, authorization]);
      response.end();
    });
    const connection = makeConnection(baseUrl);
    await createClient(connection).recordings.stop('m');
    await createClient(connection).recordings.cancel('m');
    expect(seen).toEqual([
      ['POST', TEST_KEY, 'application/json', undefined],
      ['DELETE', TEST_KEY, undefined, undefined],
    ]);
  });
});

describe('no error', () => {
  const echo: AnswerRequest = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const message = `bad ${String(request.headers['x-api-key'])} ${body}`;
      response.writeHead(400).end(JSON.stringify({ message, headers: request.headers }));
    });
  };
  const leaky = Object.assign(new TypeError(`fetch of http://ann:pw@x with ${TEST_KEY} failed`), {
    cause: Object.assign(new Error(TEST_KEY), {
      code: `E ${TEST_KEY}`,
      headers: { 'x-api-key': TEST_KEY },
      request: { body: WEBHOOK_SECRET },
    }),
    options: { headers: { 'x-api-key': TEST_KEY } },
  });

  function showWhole(error: ServiceError): string {
    const shown = inspect(error, { depth: 20, showHidden: true, getters: false });
    const { message, stack, cause } = error;
    return `${shown}\n${JSON.stringify([error, message, stack, cause, Object.entries(error)])}`;
  }

  it('repeats a secret, an address or a title', async () => {
    const baseUrl = await servers.start(echo);
    const closed = 'http://127.0.0.1:9';
    const connections = [
      makeConnection(baseUrl),
      makeConnection(closed, { fetch: () => Promise.reject(leaky) }),
      makeConnection(closed, { fetch: () => Promise.resolve(new Response('{"ok":true}')) }),
    ];
    for (const connection of connections) {
      const shown = showWhole(await catchFault(start(connection)));
      for (const secret of [TEST_KEY, WEBHOOK_SECRET, 'capability', 'secret-room', 'Acme', 'ann:pw']) {
        expect(shown).not.toContain(secret);
      }
    }
  });

  it('repeats what a rule was broken with', async () => {
    const error = await catchFault(
      createClient(makeConnection('http://127.0.0.1:9')).recordings.start({
        link: 'no address',
        webhookSecret: 'short-secret',
        participants: ['ann at example'],
      }),
    );
    expect(error).toMatchObject({ code: 'bad_request', status: undefined, unsent: true });
    expect(error.message).toContain('link must be a web address');
    expect(showWhole(error)).not.toMatch(/short-secret|ann at|no address/);
  });

  it('hides the status behind a body that cannot be read', async () => {
    const answers: AnswerRequest[] = [
      (_request, response) => {
        response.writeHead(401, { 'content-length': '100' }).write('no');
        setImmediate(() => response.destroy());
      },
      (_request, response) => void response.writeHead(401).write('no'),
      (_request, response) => void response.writeHead(401).end('n'.repeat(70_000)),
    ];
    for (const [index, answer] of answers.entries()) {
      // The silent one costs its whole time.
      const timeoutMs = index === 1 ? 800 : 5000;
      const connection = makeConnection(await servers.start(answer), { timeoutMs });
      expect(await catchFault(createClient(connection).recordings.status('m'))).toMatchObject({
        code: 'unauthorized',
        status: 401,
        detail: undefined,
      });
    }
  });
});

describe('an answer', () => {
  it('of more than 64 MiB is unreadable, and is not taken in', async () => {
    let sent = 0;
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(piece);
      },
    });
    const connection = makeConnection('http://127.0.0.1:9', {
      fetch: () => Promise.resolve(new Response(body)),
    });
    const error = await catchFault(sendRequest(connection, operations.templates.list, {}));
    expect(error).toMatchObject({ code: 'unreadable', detail: 'the answer is too large', retryable: false });
    expect(sent).toBeLessThan(70);
  });

  it('with bytes that are no UTF-8 is read all the same', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"status":"new","x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const connection = makeConnection('http://127.0.0.1:9', {
      fetch: () => Promise.resolve(new Response(bytes)),
    });
    expect(await sendRequest(connection, operations.recordings.status, { meetingId: 'm' })).toEqual({
      status: 200,
      body: { status: 'new', x: '\uFFFD' },
    });
  });

  it('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => (listeners += 1);
    signal.removeEventListener = () => (listeners -= 1);
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = countTimers();
    for (const status of [200, 400]) {
      const connection = makeConnection('http://127.0.0.1:9', {
        timeoutMs: 3_600_000,
        fetch: () => Promise.resolve(new Response('new', { status })),
      });
      const asking = createClient(connection).recordings.status('m', { signal });
      expect(await asking.catch((error: ServiceError) => error.status)).toEqual(
        status === 200 ? { phase: 'ready', status: 'new' } : 400,
      );
    }
    expect(listeners).toBe(0);
    expect(countTimers()).toBe(before);
  });
});
