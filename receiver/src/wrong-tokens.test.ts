import { afterEach, describe, expect, it } from 'vitest';

import { createTestConsoleData } from './testing/console-data.ts';
import { NOW_MS } from './testing/event-text.ts';
import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

const TOKEN = 'admin-token-0123456789';
const WRONG = 'admin-token-0123456780';

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

async function start() {
  let nowMs = NOW_MS;
  const data = createTestConsoleData(() => nowMs);
  started = await startTestReceiver({
    adminToken: TOKEN,
    nowMs: () => nowMs,
    console: { openData: async () => data },
    // The peer is the one that this header names.
    trustedProxies: ['127.0.0.1'],
  });
  const { url, lines } = started;
  return {
    lines,
    /** Status and `Retry-After`, if any. */
    ask: async (path: string, peer: string, authorization?: string): Promise<string> => {
      const headers = {
        'x-forwarded-for': peer,
        ...(authorization === undefined ? {} : { authorization }),
      };
      const answer = await fetch(`${url}${path}`, { headers });
      return [answer.status, answer.headers.get('retry-after')].filter((part) => part !== null).join(' ');
    },
    wait: (ms: number): void => {
      nowMs += ms;
    },
  };
}

describe('a wrong ADMIN_TOKEN', () => {
  it('is answered 401 twenty times, then 429, and once more each ten seconds', async () => {
    const { ask, wait } = await start();
    const paths = ['/api/refusals', '/metrics', '/console', '/api/reload'];
    for (let times = 0; times < 20; times += 1) {
      expect(await ask(paths[times % 4] ?? '', '203.0.113.9', `Bearer ${WRONG}`)).toBe('401');
    }
    for (const path of paths) expect(await ask(path, '203.0.113.9', `Bearer ${WRONG}`)).toBe('429 10');
    wait(10_000);
    expect(await ask('/metrics', '203.0.113.9', `Bearer ${WRONG}`)).toBe('401');
    expect(await ask('/metrics', '203.0.113.9', `bearer ${WRONG} x`)).toBe('429 10');
  });

  it('keeps out neither the right one of the same peer nor another peer', async () => {
    const { ask } = await start();
    for (let times = 0; times < 25; times += 1) await ask('/metrics', '203.0.113.9', `Bearer ${WRONG}`);
    expect(await ask('/metrics', '203.0.113.9', `Bearer ${TOKEN}`)).toBe('200');
    expect(await ask('/console', '203.0.113.9', `Bearer ${TOKEN}`)).toBe('200');
    expect(await ask('/metrics', '203.0.113.10', `Bearer ${WRONG}`)).toBe('401');
  });

  it('is none where there is no token, or a login of a proxy in front', async () => {
    const { ask, lines } = await start();
    for (let times = 0; times < 25; times += 1) {
      expect(await ask('/metrics', '203.0.113.9')).toBe('401');
      expect(await ask('/console', '203.0.113.9', 'Basic YWxhZGRpbjpvcGVuc2VzYW1l')).toBe('401');
    }
    expect(lines).toEqual([]);
  });

  it('is one line a second in the log, with how many of which peer, and never the token', async () => {
    const { ask, wait, lines } = await start();
    for (let times = 0; times < 5; times += 1) await ask('/metrics', '203.0.113.9', `Bearer ${WRONG}`);
    wait(1000);
    await ask('/console', '203.0.113.10', `Bearer ${WRONG}`);
    wait(1000);
    await ask('/console', '203.0.113.11', `Bearer ${WRONG}`);
    expect(lines).toEqual([
      'refused: this is not the ADMIN_TOKEN {"times":1,"peers":{"203.0.113.9":1}}',
      'refused: this is not the ADMIN_TOKEN {"times":5,"peers":{"203.0.113.9":4,"203.0.113.10":1}}',
      'refused: this is not the ADMIN_TOKEN {"times":1,"peers":{"203.0.113.11":1}}',
    ]);
  });

  it('names twenty peers in a line, and counts the tokens of the others', async () => {
    const { ask, wait, lines } = await start();
    for (let peer = 0; peer <= 25; peer += 1) await ask('/metrics', `203.0.113.${peer}`, `Bearer ${WRONG}`);
    wait(1000);
    await ask('/metrics', '203.0.113.1', `Bearer ${WRONG}`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('{"times":26,"peers":{"203.0.113.1":2,"203.0.113.2":1,');
    expect(lines[1]?.match(/203\.0\.113/g)).toHaveLength(20);
    expect(lines[1]).toContain('"203.0.113.20":1}}');
  });
});
