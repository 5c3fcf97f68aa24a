import { request } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createTestConsoleData, EFFECT_KEY, LINK } from '../testing/console-data.ts';
import { eventText, NOW_MS, sign, signedHeaders } from '../testing/event-text.ts';
import { startTestReceiver, type TestReceiver } from '../testing/start-test-receiver.ts';

const TOKEN = 'admin-token-0123456789';
const MINUTE_MS = 60_000;

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly cookie: string | undefined;
}

async function start({
  token,
  publicUrl,
  trustHeader,
  trustedProxies = [],
}: { token?: string; publicUrl?: string; trustHeader?: string; trustedProxies?: readonly string[] } = {}) {
  let nowMs = NOW_MS;
  const data = createTestConsoleData(() => nowMs);
  started = await startTestReceiver({
    nowMs: () => nowMs,
    console: { openData: async () => data, publicUrl, trustHeader },
    trustedProxies,
    ...(token === undefined ? {} : { adminToken: token }),
  });
  const { url, lines } = started;
  const port = new URL(url).port;
  const host = `127.0.0.1:${port}`;
  const ask = (path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
      const asking = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, ...form, ...headers },
      });
      asking.on('error', reject);
      asking.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const [set] = response.headers['set-cookie'] ?? [];
          const cookie = set?.split(';')[0];
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, cookie });
        });
      });
      asking.end(body);
    });
  const logIn = (
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) =>
    ask('/console/login', {
      method: 'POST',
      headers: { origin: `http://${host}`, ...headers },
      body: new URLSearchParams({ token: TOKEN, ...fields }).toString(),
    });
  const readForm = async (cookie: string): Promise<string> => {
    const { text } = await ask(`/console/effects/${EFFECT_KEY}`, { headers: { cookie } });
    return /name="form" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
  };
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { ask, logIn, readForm, wait, data, host, lines };
}

describe('a proxy in front that has the login', () => {
  const trustHeader = 'x-forwarded-user';
  const proxy = { token: TOKEN, trustHeader, trustedProxies: ['127.0.0.1'] };

  it('names the user, who is let in and named in what is done', async () => {
    const { ask, data, host } = await start(proxy);
    const named = { [trustHeader]: 'Anna Berg' };
    const page = await ask(`/console/effects/${EFFECT_KEY}`, { headers: named });
    expect(page.status).toBe(200);
    const form = /name="form" value="([0-9a-f]{64})"/.exec(page.text)?.[1] ?? '';
    const headers = { ...named, cookie: page.cookie ?? '', origin: `http://${host}` };
    const body = `form=${form}`;
    const retry = `/console/effects/${EFFECT_KEY}/retry`;
    expect(
      (await ask(retry, { method: 'POST', headers: { ...headers, origin: 'http://evil.example' }, body }))
        .status,
    ).toBe(403);
    expect((await ask(retry, { method: 'POST', headers: named, body })).status).toBe(403);
    expect((await ask(retry, { method: 'POST', headers, body })).status).toBe(200);
    expect(data.done).toEqual([{ effectKey: EFFECT_KEY, kind: 'retry', who: 'the console (Anna Berg)' }]);
    // The cookie alone opens nothing.
    expect((await ask('/console/attention', { headers: { cookie: page.cookie ?? '' } })).status).toBe(401);
  });

  it.each([
    ['no such proxy', { ...proxy, trustedProxies: ['10.0.0.1'] }, 'Anna'],
    ['no header that is believed', { token: TOKEN, trustedProxies: ['127.0.0.1'] }, 'Anna'],
    ['no ADMIN_TOKEN', { ...proxy, token: undefined, publicUrl: 'https://hooks.example.com' }, 'Anna'],
    ['an empty name', proxy, ' '],
    ['a name that is too long', proxy, 'x'.repeat(101)],
  ])('is not believed: %s', async (_name, { token, ...options }, user) => {
    const { ask } = await start({ ...options, ...(token === undefined ? {} : { token }) });
    const headers = { [trustHeader]: user, 'x-forwarded-for': '203.0.113.7' };
    expect((await ask('/console/attention', { headers })).status).toBe(401);
  });
});

describe('the unsubscribe link in a mail', () => {
  it('is a page without a login that changes nothing by a look', async () => {
    const { ask } = await start({ token: TOKEN });
    const shown = await ask(`/unsubscribe/${LINK}`);
    for (const again of [shown, await ask(`/unsubscribe/${LINK}`)]) {
      expect(again.text).toBe(shown.text);
      expect(shown.status).toBe(200);
      expect(shown.headers['referrer-policy']).toBe('no-referrer');
      expect(shown.text).toContain('Stop all of them');
      expect(shown.text).toContain('Stop those about this meeting');
      expect(shown.text).not.toMatch(/<script|\u202E|\/console\//u);
    }
  });

  it.each([
    ['List-Unsubscribe=One-Click', 'No mail and no direct message goes to', 'value="all"'],
    ['for=all', 'No mail and no direct message goes to', 'value="all"'],
    ['for=meeting', 'No mail and no direct message about this meeting', 'value="meeting"'],
  ])('unsubscribes by a POST with %s, and subscribes again', async (body, words, button) => {
    const { ask } = await start({ token: TOKEN });
    const headers = { origin: 'https://mail.example.com' };
    const done = await ask(`/unsubscribe/${LINK}`, { method: 'POST', headers, body });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining(words)]);
    const shown = await ask(`/unsubscribe/${LINK}`);
    expect(shown.text).toContain('Send them again');
    expect(shown.text).toContain(button);
    const again = await ask(`/unsubscribe/${LINK}`, { method: 'POST', body: 'again=all' });
    expect(again.text).toContain('go to');
    expect((await ask(`/unsubscribe/${LINK}`)).text).toContain('Stop all of them');
  });

  it.each(['x', `${LINK}x`, ''])('is refused when it is not ours: %j', async (token) => {
    const { ask } = await start({ token: TOKEN });
    expect((await ask(`/unsubscribe/${token}`)).status).toBe(404);
    expect((await ask(`/unsubscribe/${token}`, { method: 'POST', body: 'for=all' })).status).toBe(404);
  });
});

describe('the link in a mail to an approver', () => {
  const CONTENT = 'c0'.repeat(32);

  it('shows the mail to who has it, without a login, and changes nothing by a look', async () => {
    const { ask, data } = await start({ token: TOKEN });
    const shown = await ask(`/approve/${LINK}`);
    expect(shown.status).toBe(200);
    expect(shown.headers['referrer-policy']).toBe('no-referrer');
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    expect(shown.text).toContain('name="content" value="c0ffee"');
    expect(shown.text).not.toMatch(/<script|\u202E|\/console\//u);
    expect((await ask(`/approve/${LINK}`, { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/approve/style.css')).status).toBe(200);
    expect(data.done).toEqual([]);
  });

  it('approves what the page showed, and does nothing else', async () => {
    const { ask, data, lines } = await start({ token: TOKEN });
    const post = (fields: string) => ask(`/approve/${LINK}`, { method: 'POST', body: fields });
    expect((await post('')).status).toBe(400);
    expect((await post('content=')).status).toBe(400);
    expect(data.done).toEqual([]);
    expect((await post(`content=${CONTENT}&to=evil%40z.io&kind=discard`)).status).toBe(200);
    expect(data.done).toEqual([
      {
        kind: 'approve',
        effectKey: EFFECT_KEY,
        who: 'the link in the mail to a…@example.com',
        contentHash: CONTENT,
        fields: { to: '', subject: '' },
        draft: { to: '', subject: '' },
      },
    ]);
    expect(lines.join()).not.toContain(LINK);
  });

  it.each([`${'b2'.repeat(71)}b3`, 'b2', '..%2fconsole', `${LINK}/discard`])(
    'is refused: %s',
    async (token) => {
      const { ask, data } = await start({ token: TOKEN });
      expect((await ask(`/approve/${token}`)).status).toBe(404);
      const body = `content=${CONTENT}`;
      expect((await ask(`/approve/${token}`, { method: 'POST', body })).status).toBe(404);
      expect(data.done).toEqual([]);
    },
  );
});

describe('the login', () => {
  it('opens the console for who has the token, and says nothing else of it', async () => {
    const { ask, logIn, lines } = await start({ token: TOKEN });
    const stranger = await ask('/console/attention');
    expect([stranger.status, stranger.cookie]).toEqual([401, undefined]);
    expect(stranger.text).toContain('name="next" value="/console/attention"');
    const wrong = await logIn({ token: 'wrong-token' });
    expect([wrong.status, wrong.cookie]).toEqual([401, undefined]);
    const right = await logIn({ next: '/console/attention' });
    expect([right.status, right.headers['location']]).toEqual([303, '/console/attention']);
    expect(String(right.headers['set-cookie'])).toMatch(
      /^aftermeet_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await ask('/console/attention', { headers: { cookie: right.cookie ?? '' } });
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(lines).toContain('refused: this is not the ADMIN_TOKEN {"times":1,"peers":{"127.0.0.1":1}}');
    expect(`${lines.join()}${stranger.text}${wrong.text}${page.text}`).not.toMatch(
      /wrong-token|admin-token-0123/,
    );
  });

  it('answers 429 after twenty wrong tokens, and lets the right one in all the same', async () => {
    const { logIn, wait } = await start({ token: TOKEN });
    const statuses: number[] = [];
    for (let times = 0; times < 20; times += 1) statuses.push((await logIn({ token: 'wrong' })).status);
    expect(statuses).toEqual(Array(20).fill(401));
    const limited = await logIn({ token: 'wrong' });
    expect([limited.status, limited.headers['retry-after'], limited.cookie]).toEqual([429, '10', undefined]);
    expect(limited.text).toContain('Too many wrong tokens from here. The right one is let in at any time.');
    expect((await logIn()).status).toBe(303);
    wait(10_000);
    expect((await logIn({ token: 'wrong' })).status).toBe(401);
  });

  it.each([
    ['//evil.example', '/console'],
    [String.raw`/\evil.example`, '/console'],
    ['https:evil.example', '/console'],
    ['/console\r\nset-cookie: a=b', '/console'],
    ['/consoles', '/console'],
    ['/console/../hooks', '/console/../hooks'],
    ['/console/meetings/m_1?a=b', '/console/meetings/m_1?a=b'],
  ])('leads from %j to %j', async (next, location) => {
    const { logIn } = await start({ token: TOKEN });
    expect((await logIn({ next })).headers['location']).toBe(location);
  });

  it('is a form of these pages alone', async () => {
    const { ask, logIn } = await start({ token: TOKEN });
    for (const origin of ['https://evil.example', 'null', ''])
      expect((await logIn({}, { origin })).status).toBe(403);
    const body = `token=${TOKEN}`;
    expect((await ask('/console/login', { method: 'POST', body })).status).toBe(403);
    expect((await ask(`/console/login?token=${TOKEN}`)).status).toBe(401);
  });

  it('ends after half an hour without a request, after twelve hours, and at the logout', async () => {
    const { ask, logIn, readForm, wait, host } = await start({ token: TOKEN });
    const see = async (cookie: string): Promise<number> =>
      (await ask('/console', { headers: { cookie } })).status;
    const { cookie: idle = '' } = await logIn();
    wait(29 * MINUTE_MS);
    expect(await see(idle)).toBe(200);
    wait(29 * MINUTE_MS);
    expect(await see(idle)).toBe(200);
    wait(31 * MINUTE_MS);
    expect(await see(idle)).toBe(401);
    const { cookie: long = '' } = await logIn();
    expect(long).not.toBe(idle);
    for (let times = 0; times < 28; times += 1) {
      wait(25 * MINUTE_MS);
      expect(await see(long)).toBe(200);
    }
    wait(25 * MINUTE_MS);
    expect(await see(long)).toBe(401);
    const { cookie = '' } = await logIn();
    const headers = { cookie, origin: `http://${host}` };
    const form = await readForm(cookie);
    const out = await ask('/console/logout', { method: 'POST', headers, body: `form=${form}` });
    expect([out.status, await see(cookie)]).toEqual([303, 401]);
  });

  it('is over with another ADMIN_TOKEN', async () => {
    const { logIn, data } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    await started?.receiver.close();
    started = await startTestReceiver({
      adminToken: 'another-token-0123456789',
      console: { openData: async () => data },
    });
    expect((await fetch(`${started.url}/console`, { headers: { cookie } })).status).toBe(401);
  });

  it('sends its cookie over HTTPS alone where the host is not this machine', async () => {
    const { logIn, ask } = await start({ token: TOKEN, publicUrl: 'https://hooks.example' });
    const headers = { host: 'hooks.example', origin: 'https://hooks.example' };
    const { headers: answered, cookie = '' } = await logIn({}, headers);
    expect(String(answered['set-cookie'])).toMatch(
      /^__Host-aftermeet_console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await ask('/console', { headers: { host: 'hooks.example', cookie } })).status).toBe(200);
    expect((await ask('/console', { headers: { host: 'evil.example', cookie } })).status).toBe(421);
  });
});

describe('wrong logins of strangers', () => {
  it('keep out neither who has the token nor the tries of another peer', async () => {
    const { logIn } = await start({ token: TOKEN, trustedProxies: ['127.0.0.1'] });
    const from = async (peer: string, token: string): Promise<number> =>
      (await logIn({ token }, { 'x-forwarded-for': peer })).status;
    // More than all peers together once had.
    for (let peer = 1; peer <= 3; peer += 1) {
      const flood = [];
      for (let times = 0; times < 25; times += 1) flood.push(await from(`203.0.113.${peer}`, 'wrong'));
      expect(flood.filter((status) => status === 401)).toHaveLength(20);
    }
    expect(await from('203.0.113.1', TOKEN)).toBe(303);
    expect(await from('203.0.113.7', TOKEN)).toBe(303);
    expect(await from('203.0.113.7', 'wrong')).toBe(401);
  });
});

describe('what this receiver refused', () => {
  it('stands under what needs a person, with what to do, for a day', async () => {
    const { ask, wait } = await start();
    const deliver = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
      const body = eventText();
      const all = { ...signedHeaders(body), ...headers };
      return (await fetch(`${started?.url}/hooks/${path}`, { method: 'POST', body, headers: all })).status;
    };
    const wrong = { 'x-service-signature': sign(eventText(), undefined, 'whsec_of_somebody_else') };
    expect(await deliver('default')).toBe(200);
    expect(await deliver('default', wrong)).toBe(401);
    expect(await deliver('default', wrong)).toBe(401);
    expect(await deliver('salse')).toBe(404);
    expect(await deliver('default', { 'x-service-timestamp': '1783425000' })).toBe(401);
    const read = async (path: string): Promise<string> =>
      (await ask(path)).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    const attention = await read('/console/attention');
    expect(attention).toContain('default 2 refused : it is signed with another secret. Give this endpoint');
    expect(attention).toContain('/hooks/salse 1 refused : there is no such endpoint.');
    expect(attention).toContain('default 1 refused : its time is too long ago. Check the clock');
    expect(await read('/console/overview')).toContain('default 1 accepted, 0 came again');
    wait(25 * 60 * MINUTE_MS);
    expect(await read('/console/attention')).not.toContain('refused');
    expect(await read('/console/overview')).toContain('default 2 refused');
  });

  it('is not filled by a stranger', async () => {
    const { ask } = await start();
    for (let count = 0; count < 50; count += 1)
      await fetch(`${started?.url}/hooks/guess-${count}`, { method: 'POST', body: '{}' });
    const { text } = await ask('/console/overview');
    expect(text.match(/guess-\d+/g)).toEqual(['guess-49']);
    expect(text).toContain('50 refused');
  });
});

describe('pages that show changes', () => {
  it('are told by a stream that a stranger does not get', async () => {
    const { ask, logIn, host } = await start({ token: TOKEN });
    expect((await ask('/console/changes')).status).toBe(401);
    const { cookie = '' } = await logIn();
    const stopping = new AbortController();
    const stream = await fetch(`http://${host}/console/changes`, {
      headers: { cookie },
      signal: stopping.signal,
    });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    stopping.abort();
  });

  it('do not keep a session alive by themselves', async () => {
    const { ask, logIn, wait } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    wait(20 * MINUTE_MS);
    const read = { headers: { cookie, 'x-aftermeet-live': '1' } };
    expect((await ask('/console', read)).status).toBe(200);
    wait(11 * MINUTE_MS);
    expect((await ask('/console', read)).status).toBe(401);
  });
});

describe('a session', () => {
  it('opens neither /api nor /metrics, and the bearer gets no session', async () => {
    const { ask, logIn } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    for (const path of ['/api/refusals', '/metrics'])
      expect((await ask(path, { headers: { cookie } })).status).toBe(401);
    const bearer = await ask('/console', { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([bearer.status, bearer.cookie]).toEqual([200, undefined]);
  });

  it('acts by a form of its own page alone', async () => {
    const { ask, logIn, readForm, data, host, lines } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    const { cookie: other = '' } = await logIn();
    const form = await readForm(cookie);
    const act = (headers: Readonly<Record<string, string>>, body: string) =>
      ask(`/console/effects/${EFFECT_KEY}/retry`, { method: 'POST', headers: { cookie, ...headers }, body });
    const origin = `http://${host}`;
    const refused = [
      await act({}, `form=${form}`),
      await act({ origin: 'https://evil.example' }, `form=${form}`),
      await act({ origin }, ''),
      await act({ origin }, `form=${await readForm(other)}`),
      await act({ origin, cookie: '' }, `form=${form}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 401]);
    expect(data.done).toEqual([]);
    expect((await act({ origin }, `form=${form}`)).status).toBe(200);
    expect(data.done).toEqual([
      {
        effectKey: EFFECT_KEY,
        kind: 'retry',
        who: expect.stringMatching(/^the console \(session [0-9a-f]{8}\)$/),
      },
    ]);
    expect(lines.at(-1)).toMatch(/^done in the console .*"action":"retry"/);
  });

  it('approves what its page showed', async () => {
    const { ask, logIn, readForm, data, host } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    const { text } = await ask(`/console/approvals/${EFFECT_KEY}`, { headers: { cookie } });
    expect(text).toContain('name="content" value="c0ffee"');
    expect(text).toMatch(/name="draft_to" value="[^"]+"[^]*name="to" value="[^"]+"/);
    expect(text).toMatch(/name="draft_subject" value="[^"]+"[^]*name="subject" value="[^"]+"/);
    const fields = 'draft_to=cleo%40partner.example&to=dana%40partner.example&draft_subject=a&subject=a';
    const body = `form=${await readForm(cookie)}&content=c0ffee&${fields}`;
    const headers = { cookie, origin: `http://${host}` };
    await ask(`/console/approvals/${EFFECT_KEY}/approve`, { method: 'POST', headers, body });
    expect(data.done).toMatchObject([
      {
        kind: 'approve',
        contentHash: 'c0ffee',
        draft: { to: 'cleo@partner.example', subject: 'a' },
        fields: { to: 'dana@partner.example', subject: 'a' },
      },
    ]);
  });

  it('dismisses with a reason, and replays what its page counted', async () => {
    const { ask, logIn, readForm, data, host } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    const form = await readForm(cookie);
    const headers = { cookie, origin: `http://${host}` };
    const post = (path: string, fields: string) =>
      ask(`/console${path}`, { method: 'POST', headers, body: `form=${form}&${fields}` });
    await post(`/effects/${EFFECT_KEY}/dismiss`, 'reason=the+channel+is+gone');
    expect(data.done).toMatchObject([{ kind: 'dismiss', reason: 'the channel is gone' }]);
    const range = 'from=2026-07-07T10:00&until=2026-07-07T12:00';
    const { text } = await ask(`/console/replay?${range}`, { headers });
    expect(text).toMatch(/2 deliveries,\s+3 effects that are tried\./);
    expect(text).toContain('There are more deliveries in this time');
    expect(data.replayed).toEqual([]);
    await post('/replay', range);
    await post('/meetings/m_1/replay', '');
    const who = expect.stringContaining('session');
    expect(data.replayed).toEqual([
      { choice: { fromMs: Date.parse('2026-07-07T10:00Z'), toMs: Date.parse('2026-07-07T12:00Z') }, who },
      { choice: { meetingId: 'm_1' }, who },
    ]);
    expect((await post('/replay', 'from=2026-07-07T12:00&until=2026-07-07T10:00')).status).toBe(400);
  });

  it('changes nothing by GET', async () => {
    const { ask, logIn, data } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    for (const path of ['effects/KEY/retry', 'approvals/KEY/approve', 'approvals/KEY/discard', 'logout'])
      expect((await ask(`/console/${path.replace('KEY', EFFECT_KEY)}`, { headers: { cookie } })).status).toBe(
        404,
      );
    expect(data.done).toEqual([]);
  });
});

describe('without a token', () => {
  it('it answers to this machine, under its own name, to its own pages', async () => {
    const { ask, host } = await start();
    const page = await ask('/console');
    expect(page.status).toBe(200);
    expect(page.text).toContain('There is no ADMIN_TOKEN');
    const strangers = [
      { host: 'evil.example' },
      { host, 'x-forwarded-for': '203.0.113.9' },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, origin: 'http://evil.example' },
    ];
    const statuses: number[] = [];
    for (const headers of strangers) statuses.push((await ask('/console', { headers })).status);
    expect(statuses).toEqual([421, 401, 401, 401]);
  });

  it('a form of another site does nothing', async () => {
    const { ask, readForm, data, host } = await start();
    const { cookie = '' } = await ask('/console');
    const body = `form=${await readForm(cookie)}`;
    const path = `/console/effects/${EFFECT_KEY}/retry`;
    const cross = { cookie, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await ask(path, { method: 'POST', headers: cross, body })).status).toBe(401);
    expect((await ask(path, { method: 'POST', headers: { origin: `http://${host}` }, body })).status).toBe(
      403,
    );
    expect(data.done).toEqual([]);
    const own = { cookie, origin: `http://${host}` };
    expect((await ask(path, { method: 'POST', headers: own, body })).status).toBe(200);
  });

  it('is closed where other machines reach the receiver', async () => {
    started = await startTestReceiver({
      requireToken: true,
      console: { openData: async () => createTestConsoleData(() => NOW_MS) },
    });
    const answer = await fetch(`${started.url}/console`);
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('Set ADMIN_TOKEN')]);
  });
});

describe('every page', () => {
  const paths = [
    '',
    '/meetings/m_1',
    '/attention',
    '/waiting',
    '/overview',
    '/recipes',
    '/approvals',
    `/approvals/${EFFECT_KEY}`,
    `/effects/${EFFECT_KEY}`,
    `/effects/${EFFECT_KEY}/message`,
    '/meetings/m_1/recipes',
    '/meetings/m_1/replay',
    '/replay',
    '/replay?from=2026-07-07T10:00&until=2026-07-07T12:00',
    '/meetings/m_none',
    `/effects/${'b'.repeat(64)}`,
    '/nothing-here',
  ];

  const livePages = ['', '/meetings/m_1', '/attention', '/waiting', '/overview', '/approvals'];

  it.each(paths)(
    '%s shows what comes from outside as text, and loads nothing from elsewhere',
    async (path) => {
      const { ask } = await start();
      const { text, headers } = await ask(`/console${path}`);
      const isLive = text.includes('<script src="/console/live.js" defer></script>');
      const shown = text.replace('<script src="/console/live.js" defer></script>', '');
      expect(shown).not.toMatch(/<script|"onx=|href="javascript/);
      expect(isLive).toBe(livePages.includes(path));
      // Neither turned around nor hidden.
      expect(text).not.toMatch(/[\u202E\u{E0041}]/u);
      expect(text).not.toMatch(/\b(?:src|href|action)="(?!\/console|#content)/);
      // The drawn mails of one page bring their own style.
      const ownStyle = path.endsWith('/recipes') && path !== '/recipes' ? " 'unsafe-inline'" : '';
      expect(headers['content-security-policy']).toBe(
        isLive
          ? "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
          : `default-src 'none'; style-src 'self'${ownStyle}; img-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
    },
  );

  it('says the same to a stranger, whether something is there or not', async () => {
    const { ask } = await start({ token: TOKEN });
    const answers = await Promise.all(
      [`/effects/${EFFECT_KEY}`, `/effects/${'b'.repeat(64)}`].map((path) => ask(`/console${path}`)),
    );
    const [there, none] = answers.map(({ status, text }) => [
      status,
      text.replace(/name="next" value="[^"]*"/, ''),
    ]);
    expect(there).toEqual(none);
    expect(there?.[0]).toBe(401);
  });

  it('of a mail has a policy of its own: a frame of the console, without script', async () => {
    const { ask } = await start();
    const { text, headers } = await ask(`/console/effects/${EFFECT_KEY}/mail`);
    expect(text).toContain('<p>The mail</p>');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
    );
  });

  it.each(['/console/..;/api/refusals', '/console%2fattention', '//console', '/consoleattention'])(
    '%s opens nothing',
    async (path) => {
      const { ask } = await start({ token: TOKEN });
      expect([401, 404]).toContain((await ask(path)).status);
    },
  );

  it('is open to operators while strangers hold many requests', async () => {
    const { ask, logIn, host } = await start({ token: TOKEN });
    const { cookie = '' } = await logIn();
    const slow = Array.from({ length: 40 }, () => {
      const socket = started?.open();
      socket?.write(
        `POST /console/effects/x/retry HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000\r\n` +
          'content-type: application/x-www-form-urlencoded\r\n\r\na',
      );
      return socket;
    });
    expect((await ask('/console', { headers: { cookie } })).status).toBe(200);
    for (const socket of slow) socket?.destroy();
  });

  it('answers 503 while its store is away, and again when it is there', async () => {
    let isAway = true;
    const data = createTestConsoleData(() => NOW_MS);
    started = await startTestReceiver({
      console: {
        openData: async () => {
          if (isAway) throw new Error('connect ECONNREFUSED redis://:secret@127.0.0.1');
          return data;
        },
      },
    });
    const away = await fetch(`${started.url}/console`);
    expect([away.status, await away.text()]).toEqual([
      503,
      expect.stringContaining('The store does not answer'),
    ]);
    isAway = false;
    expect((await fetch(`${started.url}/console`)).status).toBe(200);
  });

  it.each([
    ['a form of a megabyte', { body: `form=${'x'.repeat(1_000_000)}` }, 413],
    ['another kind of body', { body: '{}', headers: { 'content-type': 'application/json' } }, 403],
  ])('refuses %s', async (_what, asked, status) => {
    const { ask, host } = await start();
    const { cookie = '' } = await ask('/console');
    const headers = { cookie, origin: `http://${host}`, ...('headers' in asked ? asked.headers : {}) };
    const path = `/console/effects/${EFFECT_KEY}/retry`;
    expect((await ask(path, { method: 'POST', ...asked, headers })).status).toBe(status);
  });
});
