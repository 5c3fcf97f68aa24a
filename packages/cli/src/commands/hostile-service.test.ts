import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { createStop } from '../testing/create-stop.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve, type TestService } from '../testing/serve.ts';

const KEY = 'key_0123456789';
const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);

let service: TestService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** Runs a command against a server that gives this answer to everything. */
async function run(
  words: readonly string[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  context: Partial<Context> = {},
) {
  service = await serve(answer);
  return runAftermeet(words, {
    environment: {
      SERVICE_BASE_URL: service.url,
      SERVICE_API_KEY: KEY,
      WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    },
    clock: () => NOW_MS,
    client: { retries: 0 },
    ...context,
  });
}

function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

describe('what the service answers', () => {
  it.each([
    [
      401,
      'The service does not accept the API key (401): Unknown key.\n' +
        'Check SERVICE_API_KEY: a key that was regenerated makes the old one invalid at once.\n',
    ],
    [
      402,
      'Payment required (402): Unknown key.\n' +
        'The minutes of the plan may be used up: check the plan in the settings of the workspace.\n',
    ],
    [
      403,
      'The plan of the workspace does not include this (403): Unknown key.\n' +
        'The API needs a paid plan (Lite, Pro or Business).\n',
    ],
    [404, 'The service found nothing (404): Unknown key.\naftermeet search lists meetings.\n'],
    [429, 'Too many requests (429): Unknown key.\nTry again later.\n'],
    [500, 'The service failed (500): Unknown key.\nTry again later.\n'],
    [418, 'The service gave an unexpected answer (418): Unknown key.\n'],
  ])('%d is a failure with what to do next', async (status, stderr) => {
    const body = { message: 'Unknown\n\u0007key' };
    const code = status === 401 || status === 403 ? 4 : 1;
    expect(await run(['status', 'm_1'], reply(status, body))).toEqual({ code, stdout: '', stderr });
  });

  it('is printed as JSON with --json', async () => {
    const limited = reply(429, {}, { 'retry-after': '90' });
    const { code, stdout, stderr } = await run(['status', 'm_1', '--json'], limited);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'rate_limited',
        status: 429,
        message: 'Too many requests (429).',
        operation: 'recordings.status: GET /api/meeting/status',
        retryable: true,
        advice: 'The service asks to wait 1 min 30 s.',
      },
    });
  });

  it('is not ready for an export', async () => {
    const answer = (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(202, { 'content-type': 'text/plain' });
      response.end('Meeting is in progress now, status: processing');
    };
    for (const output of ['-', join(tmpdir(), 'never-written.pdf')]) {
      const words = ['export', 'm_1', '--format', 'pdf', '--output', output];
      expect(await run(words, answer)).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'The report is not ready: the service says processing.\nWait for it: aftermeet status m_1 --wait\n',
      });
      await service?.close();
    }
  });

  it('is asked for again, which a terminal shows', async () => {
    let asked = 0;
    const answer = (_request: IncomingMessage, response: ServerResponse): void => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200, { 'content-type': 'application/json' }).end('[]');
    };
    const client = { retries: 1, random: () => 1, wait: async () => {} };
    expect((await run(['tags', 'list'], answer, { client, isErrorTerminal: true })).stderr).toBe(
      'The service failed (503); trying again in 1 s.\n',
    );
    await service?.close();
    asked = 0;
    expect(await run(['tags', 'list'], answer, { client })).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not followed to another place', async () => {
    const { code, stderr } = await run(['tags', 'list'], (request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(request.url),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Set SERVICE_BASE_URL to its real address');
    expect(service?.requests.length).toBe(1);
  });

  it('may be no answer at all', async () => {
    const closed = await serve(() => {});
    await closed.close();
    const environment = { SERVICE_BASE_URL: closed.url, SERVICE_API_KEY: KEY };
    expect(await runAftermeet(['templates'], { environment, client: { retries: 0 } })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "The service can't be reached: ECONNREFUSED.\n" +
        'Is SERVICE_BASE_URL right, and does the service run there? A sandbox answers while aftermeet sandbox runs.\n',
    });
  });
});

describe('a write whose answer got lost', () => {
  const drop = (request: IncomingMessage): void => {
    request.socket.destroy();
  };

  it.each([
    [
      ['record', 'https://meet.example/a', '--title', "It's on"],
      String.raw`aftermeet search 'It'\''s on' --from 2026-11-20`,
    ],
    [['record', 'https://meet.example/a'], 'aftermeet search --from 2026-11-20'],
    [['report', 'generate', 'm_1', 'team-sync'], 'aftermeet report get m_1'],
    [['tags', 'create', 'Sales'], 'aftermeet tags list'],
  ])('of %j is not sent again; the command that settles it is printed', async (words, command) => {
    const { code, stdout, stderr } = await run(words, drop, { client: { retries: 4 } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.replace(/: [A-Z_]+\./, ': REASON.')).toBe(
      `The request may have taken effect or not: REASON.\nBefore you repeat it, check whether it took effect:\n  ${command}\n`,
    );
    expect(service?.requests.length).toBe(1);
  });
});

it('input that a person would write is sent as the service takes it', async () => {
  const words = ['record', 'meet.example.com/abc-defg', '--participants'];
  const { code } = await run(
    [...words, 'Ann Example <ann@x.example>, bob@x.example'],
    reply(200, { id: 'm_1' }),
  );
  expect(code).toBe(0);
  expect(service?.requests).toEqual([
    'POST /api/record-meeting {"link":"https://meet.example.com/abc-defg","participants":"ann@x.example,bob@x.example"}',
  ]);
});

describe('input that is refused before a request', () => {
  const recordWithWebhook = ['record', 'https://meet.example/a', '--webhook-url', 'https://a.example'];

  it.each([
    [['record', 'https://meet.example/a', '--at', '2027-11-21T10:00:00Z'], '--at '],
    [['search', '--from', 'yesterday'], '--from must be a date'],
    [['upload', import.meta.filename, '--at', 'rubbish'], '--at must be a time such as "tomorrow 12:00"'],
    [
      ['upload', import.meta.filename],
      "This can't be done: <file> must be audio or video; found text.\n--any-type overrides this.\n",
    ],
    [['record', 'meet.example/a', '--at', '12:00', '--timezone', 'Mars'], 'such as Europe/Berlin'],
    [
      ['export', 'm_1', '--format', 'md', '--timezone', 'Nowhere/At', '--output', '-'],
      '--timezone must be an IANA',
    ],
    [['export', 'm_1', '--format', 'xls'], 'Allowed choices are pdf, docx, md'],
    [['export', 'm_1'], 'Give the format: --format pdf, docx or md'],
    [['export', 'm_1', '-o', 'a.xls'], 'Give the format: --format pdf, docx or md'],
    [['export', 'm_1', '--format', 'md', '--output', '-', '--json'], 'leave out --json'],
    [['report', 'get', 'm_1', '--json', '--raw'], 'cannot be used with'],
    [['report', 'edit', 'm_1', '--template-id', 't', '--text', 'a'], '--block'],
    [['report', 'get'], "missing required argument 'meeting-id'"],
    [['report', 'gte', 'm_1'], 'Did you mean get?'],
    [['search', '--limit', '0'], 'Expected all, or a number from 1 to 1000000'],
    [['upload', 'a.mp3', '--parallel', '9'], 'Expected a number from 1 to 4'],
    [['upload', '-'], 'set it with --filename'],
    [['upload', '-', '--filename', 'a.mp3'], 'There is no piped input'],
    [['upload', 'a.mp3', '--filename', 'b.mp3'], 'a file already has its name'],
    [['upload', '/nowhere/a.mp3'], 'ENOENT'],
    [['mcp', 'call', 'tool', 'no-equals-sign'], 'key=text or key:=JSON'],
    [['mcp', 'call', 'tool', '--input', '[1]'], 'expected a JSON object'],
    [['record', 'https://meet.example/a', '--webhook-secret-from', 'SECRET'], 'needs --webhook-url'],
    [
      [...recordWithWebhook, '--webhook-secret-from', 'NO'],
      'takes the name of an environment variable, and the one it names is not set',
    ],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
  ])('%j is exit code 2', async (words, message) => {
    const { code, stdout, stderr } = await run(words, reply(500, {}));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(service?.requests).toEqual([]);
  });

  it('is printed as JSON with --json, even if the words cannot be parsed', async () => {
    const { code, stdout, stderr } = await run(['status', '--json', '--nope'], reply(500, {}));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'wrong_use', message: "unknown option '--nope'", retryable: false },
    });
  });

  it('is one line for each rule that is broken', async () => {
    const { code, stderr } = await run(['record', 'ftp://x', '--cron', 'daily'], reply(500, {}));
    expect({ code, stderr, requests: service?.requests }).toEqual({
      code: 2,
      stderr:
        "This can't be done:\n" +
        '  <link> must be a web address that begins with http:// or https://; found text of length 7\n' +
        '  --cron must be a cron expression of five fields such as 0 9 * * 1; found "daily"\n',
      requests: [],
    });
  });

  it('is a secret on the command line, which is not repeated', async () => {
    const words = [...recordWithWebhook, '--webhook-secret', 'hunter2hunter2hunter2'];
    const { code, stderr } = await run(words, reply(500, {}));
    expect(code).toBe(2);
    expect(stderr).toContain('--webhook-secret-from');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('the settings of the service', () => {
  it.each([
    [{}, ['SERVICE_BASE_URL', 'SERVICE_API_KEY']],
    [{ SERVICE_BASE_URL: 'http://127.0.0.1:1' }, ['SERVICE_API_KEY']],
    [{ SERVICE_API_KEY: KEY, SERVICE_BASE_URL: '' }, ['SERVICE_BASE_URL']],
  ])('%j lacks %j', async (environment, names) => {
    const { code, stderr } = await runAftermeet(['status', 'm_1'], { environment });
    expect(code).toBe(2);
    expect([...stderr.matchAll(/^(SERVICE_\w+): found nothing/gm)].map(([, name]) => name)).toEqual(names);
    expect(stderr).toContain('run aftermeet sandbox in another terminal');
    expect(stderr).not.toContain(KEY);
  });

  it('are the only ones that a command reads which calls it', async () => {
    service = await serve(reply(200, '"processed"'));
    const environment = {
      SERVICE_BASE_URL: service.url,
      SERVICE_API_KEY: KEY,
      PORT: 'nonsense',
      SLACK_BOT_TOKEN: 'x',
    };
    expect((await runAftermeet(['status', 'm_1'], { environment })).stdout).toBe(
      'ready (the service says: processed)\n',
    );
  });

  it('are refused where the address of MCP ends in what is added to it', async () => {
    const environment = {
      SERVICE_BASE_URL: 'http://127.0.0.1:1',
      SERVICE_API_KEY: KEY,
      SERVICE_MCP_URL: 'http://127.0.0.1:1/mcp',
    };
    expect(await runAftermeet(['mcp', 'tools'], { environment })).toEqual({
      code: 2,
      stdout: '',
      stderr: "This can't be done: SERVICE_MCP_URL must be given without /mcp at its end, which is added.\n",
    });
  });

  it('send MCP calls to SERVICE_MCP_URL, and nothing else', async () => {
    const mcp = await serve(reply(401, {}));
    const answer = await run(['mcp', 'tools'], reply(500, {}), {
      environment: { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: KEY, SERVICE_MCP_URL: mcp.url },
    });
    await mcp.close();
    expect(answer.stderr).toContain('The service does not accept the API key (401)');
    expect(mcp.requests[0]).toMatch(/^POST \/mcp /);
  });
});

describe('the secret of a webhook', () => {
  const started = reply(200, { meeting_id: 'm_1' });
  const words = ['record', 'https://meet.example/a', '--webhook-url', 'https://hooks.example/hooks/default'];

  it('comes from WEBHOOK_SECRET, or from the variable that is named', async () => {
    await run(words, started);
    expect(service?.requests[0]).toContain('"webhook_secret":"whsec_0123456789abcdef"');
    await service?.close();
    service = await serve(started);
    await runAftermeet([...words, '--webhook-secret-from', 'SALES_SECRET'], {
      environment: {
        SERVICE_BASE_URL: service.url,
        SERVICE_API_KEY: KEY,
        SALES_SECRET: 'sales_0123456789abcdef',
      },
    });
    expect(service.requests[0]).toContain('"webhook_secret":"sales_0123456789abcdef"');
  });

  it('is missed aloud', async () => {
    service = await serve(started);
    const environment = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: KEY };
    const { code, stderr } = await runAftermeet(words, { environment });
    expect(code).toBe(0);
    expect(stderr).toContain('set WEBHOOK_SECRET');
  });

  it('is in no message, for any answer of the service', async () => {
    const { stderr } = await run(words, (_request, response) => {
      response.writeHead(400).end(`bad secret whsec_0123456789abcdef of ${KEY}`);
    });
    expect(stderr).toContain('The service refused the request (400)');
    expect(stderr).not.toMatch(/whsec_|key_/);
  });
});

describe('text of the service on a terminal', () => {
  const evil = '\u001B]0;pwned\u0007\u001B[31mred\u009B2J\r\nnext\u202E';

  it('is cleaned in a report', async () => {
    const body = {
      followup_v2: {
        name: evil,
        speakers: [evil],
        chapters: [{ name: evil, transcript: [{ speaker: evil, text: evil, timestamp: '00:01' }] }],
        templates: [{ id: evil, name: evil, entities: [{ name: 'summary', text: evil }] }],
      },
    };
    for (const option of ['--transcript', '--wait', '--json', '--raw']) {
      const answer = (request: IncomingMessage, response: ServerResponse): void =>
        reply(200, request.url?.includes('/status') === true ? '"new"' : body)(request, response);
      const { code, stdout } = await run(['report', 'get', 'm_1', option], answer);
      expect(code).toBe(0);
      // oxlint-disable-next-line no-control-regex -- control characters are what this is about
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202E]/);
      await service?.close();
    }
  });

  it('is cleaned in an export on a terminal, and unchanged in a pipe', async () => {
    const words = ['export', 'm_1', '--format', 'md', '--output', '-'];
    const file = reply(200, evil, { 'content-type': 'text/markdown' });
    expect((await run(words, file, { isTerminal: true })).stdout).toBe('red\nnext');
    await service?.close();
    expect((await run(words, file)).stdout).toBe(evil);
    await service?.close();
    const pdf = await run(['export', 'm_1', '--format', 'pdf', '--output', '-'], file, { isTerminal: true });
    expect(pdf.stderr).toBe("A terminal can't show pdf: give --output a file, or redirect it with >.\n");
  });
});

describe('Ctrl-C', () => {
  it('ends a wait with 130, and keeps the id of the new meeting', async () => {
    const { press, stop } = createStop();
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url?.includes('/status') === true) press();
      else reply(200, { meeting_id: 'm_1' })(request, response);
    };
    const words = ['record', 'https://meet.example/a', '--wait', '--json'];
    const { code, stdout, stderr } = await run(words, answer, { armStop: () => stop });
    expect({ code, made: JSON.parse(stdout) }).toEqual({ code: 130, made: { meetingId: 'm_1' } });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'aborted',
        message: 'Stopped waiting; the meeting goes on. To wait again: aftermeet status m_1 --wait',
        retryable: false,
      },
    });
  });

  it('is caught while the service is asked, and no longer', async () => {
    const count = (): number => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
    const before = count();
    let during = 0;
    await run(['status', 'm_1'], (request, response) => {
      during = count();
      reply(200, '"processed"')(request, response);
    });
    expect({ during, after: count() }).toEqual({ during: before + 2, after: before });
  });

  it('in the middle of a write says that it may have taken effect', async () => {
    const { press, stop } = createStop();
    const { code, stderr } = await run(['tags', 'create', 'Sales'], press, { armStop: () => stop });
    expect(code).toBe(130);
    expect(stderr).toBe('Stopped.\nIt may have taken effect: check before you repeat it.\n');
  });

  it('stops the output in the middle of a read, for any answer of the service', async () => {
    const { press, stop } = createStop();
    const answerLate = async (): Promise<Response> => {
      press();
      return new Response('{"message":"Down"}', {
        status: 500,
        headers: { 'content-type': 'application/json' },
      });
    };
    const context = { armStop: () => stop, client: { retries: 0, fetch: answerLate } };
    const { code, stderr } = await run(['status', 'm_1'], () => {}, context);
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'Stopped.\n' });
  });
});
