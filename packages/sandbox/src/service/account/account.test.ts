import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

const wrongKey = 'The API key is not valid: it is another one, or a new one has replaced it.';
const templatesPath = '/api/v2/workspaces/active/custom-templates';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

beforeEach(() => {
  house.sandbox.reset();
});

afterAll(() => house.sandbox.close());

const control = (method: string, path: string, body?: object) => house.call(method, `/_sandbox${path}`, body);

async function ask(key: string | undefined, path = templatesPath) {
  const response = await fetch(house.url + path, key === undefined ? {} : { headers: { 'X-API-KEY': key } });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function askMcp(key: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${house.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return { status: response.status, text: await response.text() };
}

describe('a new key', () => {
  it('makes the old one invalid at once, for the MCP endpoint as well', async () => {
    expect((await askMcp('sandbox_key')).status).toBe(200);
    const { status, body } = await control('POST', '/key');
    expect(status).toBe(200);
    const { key } = body as { key: string };
    expect(key).toMatch(/^sandbox_[0-9a-f]{32}$/);
    expect(await ask('sandbox_key')).toEqual({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: wrongKey },
    });
    expect((await askMcp('sandbox_key')).status).toBe(401);
    expect((await ask(key)).status).toBe(200);
    expect((await askMcp(key)).status).toBe(200);
  });

  it('may be named, and is forgotten on a reset', async () => {
    expect((await control('POST', '/key', { key: 'mine' })).body).toEqual({ key: 'mine' });
    expect((await ask('mine')).status).toBe(200);
    house.sandbox.reset();
    expect((await ask('mine')).status).toBe(401);
    expect((await ask('sandbox_key')).status).toBe(200);
  });

  it.each(['', 'with blank', 'ключ', 'a\r\nb', 'x'.repeat(201), 7, null])('is not %j', async (key) => {
    expect(await control('POST', '/key', { key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringMatching(/^key: /) as string },
    });
    expect((await ask('sandbox_key')).status).toBe(200);
  });

  it('is not told by any control route, nor is it in the data folder', async () => {
    const folder = makeTestFolder();
    const other = await startTestSandbox({ data: folder });
    const key = other.sandbox.changeKey('a_key_of_mine');
    const texts = await Promise.all(
      ['', '/knobs', '/plan', '/meetings', '/clock'].map(async (path) => {
        const response = await fetch(`${other.url}/_sandbox${path}`);
        return response.text();
      }),
    );
    expect(texts.join('')).not.toContain(key);
    await other.sandbox.close();
    for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) expect(await readFile(join(name.parentPath, name.name), 'utf8')).not.toContain(key);
    }
    await rm(folder, { recursive: true });
  });
});

describe('a key that expires', () => {
  it('is 401 with a code of its own, and a new one lives as long', async () => {
    house.sandbox.knobs.turn({ keyLifetimeSeconds: 60 });
    house.sandbox.clock.advance(59_999);
    expect((await ask('sandbox_key')).status).toBe(200);
    house.sandbox.clock.advance(1);
    expect(await ask('sandbox_key')).toMatchObject({ status: 401, body: { code: 'KEY_EXPIRED' } });
    expect(await ask('another')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect((await askMcp('sandbox_key')).status).toBe(401);
    const key = house.sandbox.changeKey();
    expect((await ask(key)).status).toBe(200);
    house.sandbox.clock.advance(60_000);
    expect((await ask(key)).status).toBe(401);
    house.sandbox.reset();
    house.sandbox.knobs.turn({ keyLifetimeSeconds: 60 });
    expect((await ask('sandbox_key')).status).toBe(200);
  });
});

describe('over a restart', () => {
  it('key and plan are kept, unless the sandbox is started with a key', async () => {
    const folder = makeTestFolder();
    const start = async (apiKey?: string) => {
      await house.sandbox.close();
      house = await startTestSandbox({ data: folder, ...(apiKey === undefined ? {} : { apiKey }) });
    };
    await start();
    expect(house.sandbox.key()).toBe('sandbox_key');
    await control('POST', '/key', { key: 'mine' });
    expect(house.sandbox.key()).toBe('mine');
    await control('POST', '/plan', { plan: 'lite', minutes_left: 12 });
    await start();
    expect((await ask('sandbox_key')).status).toBe(401);
    expect((await ask('mine')).status).toBe(200);
    expect(house.sandbox.key()).toBeUndefined();
    expect((await control('GET', '/plan')).body).toEqual({ plan: 'lite', minutes_left: 12 });
    await start('started_with');
    expect((await ask('mine')).status).toBe(401);
    expect((await ask('started_with')).status).toBe(200);
    expect(house.sandbox.key()).toBe('started_with');
    await start();
    expect((await ask('started_with')).status).toBe(200);
    expect(house.sandbox.key()).toBeUndefined();
    house.sandbox.reset();
    expect(house.sandbox.key()).toBe('sandbox_key');
    expect((await ask('sandbox_key')).status).toBe(200);
    await rm(folder, { recursive: true });
  });
});
