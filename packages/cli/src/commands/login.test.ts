import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { pipe, runAftermeet } from '../testing/run-aftermeet.ts';
import { serve, type TestService } from '../testing/serve.ts';

const KEY = 'key_0123456789wxyz';

let service: TestService;
let home: string;

beforeAll(async () => {
  service = await serve((request, response) => {
    const isKnown = request.headers['x-api-key'] === KEY;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(isKnown ? '[]' : '{"message":"Unknown key"}');
  });
});

afterAll(() => service.close());

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'aftermeet-home-'));
});

afterEach(() => rm(home, { recursive: true }));

const nothing = { code: 0, stderr: '' };

function run(words: readonly string[], more: Parameters<typeof runAftermeet>[1] = {}) {
  return runAftermeet(words, {
    ...more,
    client: { retries: 0 },
    environment: { XDG_CONFIG_HOME: home, ...more.environment },
  });
}

function login(...words: readonly string[]) {
  return run(['login', '--url', `${service.url}/`, ...words], { openInput: pipe(`${KEY}\n`) });
}

describe('aftermeet login', () => {
  it('stores address and key for this user alone, and commands use them', async () => {
    const file = join(home, 'aftermeet', 'profiles.json');
    expect(await login()).toEqual({
      ...nothing,
      stdout: `The service accepts the key. The profile default is stored in ${file}.\n`,
    });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      default: { baseUrl: service.url, apiKey: KEY },
    });
    expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(await run(['tags', 'list', '--json'])).toMatchObject(nothing);
    const { stdout } = await run(['whoami', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      baseUrl: service.url,
      key: '…wxyz',
      source: 'the profile default',
      profile: 'default',
      accepted: true,
    });
  });

  it('stores the address of the MCP endpoint, which calls then go to', async () => {
    const mcp = await serve((_request, response) => {
      response.writeHead(404).end();
    });
    expect((await login('--mcp-url', `${mcp.url}/`)).code).toBe(0);
    expect(mcp.requests).toEqual([]);
    const { stdout } = await run(['whoami', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ baseUrl: service.url, mcpUrl: mcp.url });
    await run(['mcp', 'tools']);
    expect(mcp.requests[0]).toMatch(/^POST \/mcp /);
    // A new key of the same service keeps it; another service has its own.
    await login();
    expect((await run(['whoami'])).stdout).toContain(`mcp       ${mcp.url}\n`);
    const other = service.url.replace('127.0.0.1', 'localhost');
    await run(['login', '--url', other], { openInput: pipe(KEY) });
    expect((await run(['whoami'])).stdout).not.toContain(mcp.url);
    await mcp.close();
    expect(await login('--mcp-url', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--mcp-url: found'),
    });
  });

  it('asks at a terminal, and does not show the key', async () => {
    const questions: unknown[] = [];
    const answers = [service.url, KEY];
    const asked = await run(['login', '--profile', 'work', '--json'], {
      ask: async (question) => {
        questions.push(question);
        return answers.shift();
      },
    });
    expect(asked).toMatchObject(nothing);
    expect(questions).toEqual([
      { text: 'Address of the service: ' },
      { text: 'API key (not shown): ', isSecret: true },
    ]);
    expect((await run(['tags', 'list', '--profile', 'work'])).code).toBe(0);
    expect((await run(['tags', 'list'], { environment: { AFTERMEET_PROFILE: 'work' } })).code).toBe(0);
    expect(await run(['tags', 'list', '--profile', 'home'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no profile "home": there are work. aftermeet login stores one.\n',
    });
  });

  it('stores nothing that the service refuses', async () => {
    const refused = await run(['login', '--url', service.url], { openInput: pipe('key_of_someone_else') });
    expect(refused.code).toBe(4);
    expect(refused.stderr).not.toContain('key_of_someone_else');
    expect((await run(['whoami'])).code).toBe(2);
    expect(await run(['login', '--url', 'nowhere'], { openInput: pipe(KEY) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the address: found 7 characters; expected an http or https address'),
    });
  });
});

describe('aftermeet whoami', () => {
  it('says that an option comes before the environment, that before .env, and that before a profile', async () => {
    await login();
    const envFile = join(home, '.env');
    await writeFile(envFile, `SERVICE_BASE_URL="${service.url}"\nSERVICE_API_KEY=${KEY}\n`);
    const variables = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key_of_the_shell' };
    const who = async (words: readonly string[], more: Parameters<typeof run>[1]) =>
      /^source +(.*)$/m.exec((await run(['whoami', ...words], more)).stdout)?.[1];
    expect(await who(['--profile', 'default'], { envFile, environment: variables })).toBe(
      'the profile default',
    );
    expect(await who([], { envFile, environment: variables })).toBe('the environment');
    // An .env does not say where the key of the environment goes.
    expect(await who([], { envFile, environment: { SERVICE_API_KEY: 'key_of_the_shell' } })).toBeUndefined();
    expect(await who([], { envFile })).toBe('.env');
    expect(await who([], {})).toBe('the profile default');
  });

  it('never sends the key of a profile to an address from elsewhere', async () => {
    await login();
    const { code, stderr } = await run(['whoami'], { environment: { SERVICE_BASE_URL: service.url } });
    expect(code).toBe(2);
    expect(stderr).toContain('SERVICE_API_KEY: found nothing');
  });

  it('says that a key is refused', async () => {
    const environment = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key_of_the_shell' };
    const { code, stdout } = await run(['whoami'], { environment });
    expect({ code, stdout }).toEqual({
      code: 4,
      stdout: `address   ${service.url}\nkey       …hell\nsource    the environment\naccepted  no\n`,
    });
  });
});

it('aftermeet logout removes the profile', async () => {
  await login();
  expect((await run(['logout'])).stdout).toBe('The profile default is removed.\n');
  expect((await run(['logout', '--json'])).stdout).toBe(
    '{\n  "profile": "default",\n  "removed": false\n}\n',
  );
  expect((await run(['tags', 'list'])).stderr).toContain('To store both once: aftermeet login');
});
