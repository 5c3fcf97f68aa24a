import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createStop } from '../testing/create-stop.ts';
import { openStore } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

const ADMIN_TOKEN = 'a7c1e9d2b4f6085313';
const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_CHANNEL: 'C0SECRET' };

const queueUrl = await openStore('embedded');

const startedSchema = z.object({ url: z.string(), admin: z.string().optional(), console: z.string() });
type Started = z.infer<typeof startedSchema>;

/** Runs `aftermeet receiver` in this process. */
async function startReceiver(environment: Readonly<Record<string, string>>) {
  const { press, stop } = createStop(0);
  let log = '';
  let tell: (facts: Started) => void = () => {};
  const started = new Promise<Started>((resolve) => {
    tell = resolve;
  });
  const running = runAftermeet(['receiver', '--port', '0', '--json'], {
    environment: {
      QUEUE_URL: queueUrl,
      WEBHOOK_SECRET: 'whsec_0123456789abcdef',
      LOG_LEVEL: 'silent',
      ...slack,
      ...environment,
    },
    armStop: () => stop,
    write: (text) => tell(startedSchema.parse(JSON.parse(text))),
    writeError: (text) => (log += text),
  });
  const ended = running.then(({ code }) => {
    throw new Error(`ended with ${code}: ${log}`);
  });
  ended.catch(() => undefined);
  const facts = await Promise.race([started, ended]);
  return {
    ...facts,
    log: () => log,
    async stop() {
      press();
      await running;
    },
  };
}

const receiver = await startReceiver({ ADMIN_TOKEN });
afterAll(() => receiver.stop());

const remote = (words: readonly string[], columns?: number) =>
  runAftermeet(words, {
    environment: { AFTERMEET_URL: receiver.url, ADMIN_TOKEN },
    isTerminal: columns !== undefined,
    columns: () => columns,
  });

const local = (words: readonly string[]) =>
  runAftermeet(words, { environment: { QUEUE_URL: queueUrl, ...slack } });

describe('a command with AFTERMEET_URL', () => {
  it('does there what it does here, and ends as it ends here', async () => {
    for (const words of [
      ['deliveries', 'list'],
      ['effects', 'list', '--json'],
      ['meetings', 'show', 'no such meeting'],
      ['deliveries', 'show', '3f2a9c01be77', '--json'],
      ['effects', 'retry'],
      ['approvals', 'approve'],
    ]) {
      expect(await remote(words), words.join(' ')).toEqual(await local(words));
    }
    expect(await remote(['pause', 'slack-recap'])).toMatchObject({ code: 0, stderr: '' });
    expect((await local(['pause'])).stdout).toContain('slack-recap');
    expect(await remote(['resume', 'slack-recap'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('finds a receiver with ADMIN_PORT at its admin address, and nothing at the open one', async () => {
    const apart = await startReceiver({ ADMIN_TOKEN, ADMIN_PORT: '0', HOST: '0.0.0.0' });
    const { url, admin = '' } = apart;
    const ask = (AFTERMEET_URL: string) =>
      runAftermeet(['effects', 'list', '--json'], { environment: { AFTERMEET_URL, ADMIN_TOKEN } });
    expect(await ask(admin)).toEqual(await local(['effects', 'list', '--json']));
    expect((await ask(url)).stderr).toContain('and with ADMIN_PORT its admin address');
    expect([apart.console, new URL(admin).hostname]).toEqual([`${admin}/console`, '127.0.0.1']);
    await apart.stop();
  });

  it('is not asked for its help, nor with the settings of here', async () => {
    const environment = { AFTERMEET_URL: 'http://127.0.0.1:1', ADMIN_TOKEN };
    const help = await runAftermeet(['effects', '--help'], { environment });
    expect(help.stdout).toContain('Usage: aftermeet effects');
    const { stderr } = await runAftermeet(['pause', '--config', 'nowhere.yaml'], { environment });
    expect(stderr).toContain("nowhere.yaml can't be read");
  });

  it.each([
    ['http://hooks.example.com', 'found an address with http://'],
    ['https://me:secret@hooks.example.com', 'without login'],
    ['https://:secret@hooks.example.com', 'without login'],
    ['hooks.example.com', 'AFTERMEET_URL: found no address'],
  ])('sends the token to no address that is not safe: %s', async (AFTERMEET_URL, message) => {
    let asked = 0;
    const { code, stderr } = await runAftermeet(['pause'], {
      environment: { AFTERMEET_URL, ADMIN_TOKEN },
      client: { fetch: async () => new Response(String((asked += 1))) },
    });
    expect({ code, asked }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret@');
  });

  it.each([
    ['an ADMIN_TOKEN that is wrong', 401, 'refuses the ADMIN_TOKEN'],
    ['a receiver without one', 403, 'has no ADMIN_TOKEN'],
    ['too many wrong ones', 429, 'like too many others from here'],
    ['another server', 404, 'answers 404, as no receiver does'],
    ['a redirect', 302, 'cannot be reached'],
    ['an answer that ends too early', 200, 'The connection ended before the command did.'],
  ])('says what is wrong: %s', async (_what, status, message) => {
    const server = await serve((_request, response) => {
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {});
      response.end(status === 200 ? '{"out":"half"}\n' : '');
    });
    const environment = { AFTERMEET_URL: server.url, ADMIN_TOKEN };
    const { code, stderr } = await runAftermeet(['pause'], { environment });
    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(ADMIN_TOKEN);
  });
});

describe('aftermeet send --wait', () => {
  it('says on the receiver elsewhere that no worker takes the delivery', async () => {
    const environment = {
      AFTERMEET_URL: receiver.url,
      ADMIN_TOKEN,
      WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    };
    const { code, stdout, stderr } = await runAftermeet(
      ['send', `${receiver.url}/hooks/default`, '--wait', '1'],
      { environment },
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/answered 200: [^]*No worker has taken it within \d s\. Is one running\?/);
  });

  it('says when the answer is not that of a receiver', async () => {
    const server = await serve((_request, response) => response.end('hello'));
    const { code, stderr } = await runAftermeet(['send', `${server.url}/x`, '--wait', '1'], {
      environment: { WEBHOOK_SECRET: 'whsec_0123456789abcdef' },
    });
    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('The answer names no stored delivery');
  });
});

describe('POST /api/commands', () => {
  const post = async (url: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${url}/api/commands`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, text: await answer.text() };
  };

  it.each([
    ['receiver'],
    ['recipes', 'new', 'x'],
    ['pause', '--config=/etc/passwd'],
    ['effects', 'list', '--dev'],
  ])('runs no other command: %s %s', async (...words) => {
    const { status, text } = await post(receiver.url, JSON.stringify({ words }));
    expect(status).toBe(200);
    expect(text).toContain('Only these commands run on a receiver');
    expect(text.endsWith('{"exit":2}\n')).toBe(true);
  });

  it.each(['', '{', '[]', '{"words":[]}', '{"words":[1]}', '{"words":"pause"}'])(
    'refuses what is no command line: %s',
    async (body) => {
      const refused = { status: 400, text: '{"status":"refused","reason":"unreadable"}' };
      expect(await post(receiver.url, body)).toEqual(refused);
    },
  );

  it('needs the token, and is closed on a receiver without one', async () => {
    const body = JSON.stringify({ words: ['pause'] });
    expect((await post(receiver.url, body, { authorization: 'Bearer wrong' })).status).toBe(401);
    const open = await startReceiver({});
    expect(await post(open.url, body)).toEqual({
      status: 403,
      text: '{"status":"refused","reason":"needs_token"}',
    });
    await open.stop();
  });
});
