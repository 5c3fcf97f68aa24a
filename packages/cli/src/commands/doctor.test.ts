import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createJobQueue, openBackend, openJobAdmin, silentLog } from '@aftermeet/queue';
import { openSharedStore } from '@aftermeet/recipes';
import { afterAll, describe, expect, it } from 'vitest';

import { makeFolder, openStore, startSandbox, startVendors } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

const folder = makeFolder();
const queueUrl = await openStore('postgres');
const backend = await openBackend(queueUrl, { log: silentLog });
const shared = await openSharedStore(backend);
const { url } = await startSandbox();
const vendors = await startVendors({
  slack: {
    channels: [
      { id: 'C0MEETINGS', name: 'meetings' },
      { id: 'C0AWAY', name: 'away', isMember: false },
    ],
  },
});
const environment = {
  WEBHOOK_SECRET: 'c0ffee00d15ea5ed0badf00ddeadbea7',
  // No receiver: another one may listen on the default port of this machine.
  PORT: '0',
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: 'sandbox_key',
  QUEUE_URL: queueUrl,
  ...vendors.environment,
};

afterAll(async () => {
  await shared.close();
  await backend.close();
});

async function doctor(changes: Record<string, string> = {}, text?: string) {
  const config = join(folder, 'aftermeet.yaml');
  if (text !== undefined) await writeFile(config, text);
  const words = ['doctor', '--json', ...(text === undefined ? [] : ['--config', config])];
  const { code, stdout, stderr } = await runAftermeet(words, { environment: { ...environment, ...changes } });
  expect(stdout + stderr).not.toContain('hunter2');
  const results: { name: string; result: string; found: string; advice?: string }[] =
    JSON.parse(stdout).items;
  return { code, results, of: (name: string) => results.find((result) => result.name === name) };
}

describe('aftermeet doctor', () => {
  it('names people of several meetings whom no message reaches, where recipes write to people', async () => {
    const nowMs = Date.now();
    const meetings = ['meeting-1', 'meeting-2'].map((id) => [id, nowMs]);
    const known = JSON.stringify({ 'Otto Weiss': meetings, 'Guest of one': meetings.slice(1) });
    const record = { name: 'unknown-people', keepMs: 60_000 };
    await shared.swap([{ ...record, known: undefined, next: known }], nowMs);
    const tasks = 'recipes: { tasks: { use: slack-tasks } }\n';
    const { code, of } = await doctor({}, tasks);
    expect(of('people')).toEqual({
      name: 'people',
      result: 'warning',
      found: 'no mail, direct message or mention reaches Otto Weiss (2 meetings)',
      advice: 'Name them under people in aftermeet.yaml; aftermeet people unknown lists all.',
    });
    expect(code).toBe(0);
    const named = await doctor({}, `${tasks}people: [{ name: Otto Weiss, slack: U0OTTO }]\n`);
    expect(named.of('people')).toBeUndefined();
    const recap = await doctor({}, 'recipes: { recap: { use: slack-recap } }');
    expect(recap.of('people')).toBeUndefined();
    await shared.swap([{ ...record, known, next: '{}' }], nowMs);
  });

  it('says that deliveries wait for a worker that is not there', async () => {
    const queue = await createJobQueue(backend);
    const job = { endpoint: 'default', receivedAt: '2026-07-07T12:00:00.000Z', body: '{}' };
    await queue.addEvent('waits-for-a-worker', job);
    const { code, results } = await doctor({});
    expect(results.filter(({ result }) => result === 'warning')).toEqual([
      {
        name: 'queue',
        result: 'warning',
        found: 'a delivery waits, and no worker is alive: start aftermeet worker',
      },
    ]);
    expect(code).toBe(0);
    const admin = await openJobAdmin(backend);
    await admin.removeEvent('waits-for-a-worker');
    await admin.close();
    await queue.close();
  });

  it('names workers whose clock is wrong', async () => {
    const nowMs = Date.now();
    const sign = { sinceMs: nowMs, atMs: nowMs, skewMs: 0 };
    const workers = JSON.stringify({ 'a:1': sign, 'b:2': { ...sign, skewMs: 900_000 } });
    await shared.swap([{ name: 'workers', known: undefined, next: workers, keepMs: 60_000 }], nowMs);
    const { code, results } = await doctor({});
    expect(results.filter(({ result }) => result === 'warning')).toEqual([
      { name: 'queue', result: 'warning', found: 'The clock of b:2 is wrong: set it by NTP.' },
    ]);
    expect(code).toBe(0);
    await shared.swap([{ name: 'workers', known: workers, next: '{}', keepMs: 60_000 }], nowMs);
  });

  it('says what the receiver refused, why, and what to do', async () => {
    const none = await doctor({ PORT: '1' });
    expect(none.of('receiver')).toMatchObject({ result: 'not_set_up' });
    const since = '2026-07-07T12:00:00.000Z';
    const lastMs = Date.now();
    const refused = { endpoint: 'default', kind: 'unauthorized', times: 2, lastMs };
    const old = { ...refused, cause: 'too_new', lastMs: lastMs - 25 * 60 * 60 * 1000 };
    let counts = [{ ...refused, cause: 'wrong_signature' }, { ...refused, cause: 'too_old' }, old];
    const receiver = await serve(({ headers }, response) => {
      response.statusCode = headers.authorization === 'Bearer a7c1e9d2b4f6085313' ? 200 : 401;
      response.end(
        JSON.stringify({ refusals: [], counts: { sinceMs: Date.parse(since), stored: [], refused: counts } }),
      );
    });
    const ask = (token: string) => doctor({ AFTERMEET_URL: receiver.url, ADMIN_TOKEN: token });
    const { code, results } = await ask('a7c1e9d2b4f6085313');
    const at = new Date(lastMs).toISOString();
    const repeats =
      'The service does not send them again: aftermeet reconcile --since 2d --dry-run shows which meetings can be queued.';
    expect(results.filter(({ name }) => name === 'receiver')).toEqual([
      {
        name: 'receiver',
        result: 'warning',
        found: `default: 2 refused since ${since}, the newest at ${at}: it is signed with another secret`,
        advice: `Give this endpoint the secret that the recording was started with (WEBHOOK_SECRET, or secrets in aftermeet.yaml). ${repeats}`,
      },
      {
        name: 'receiver',
        result: 'warning',
        found: `default: 2 refused since ${since}, the newest at ${at}: its time is too long ago`,
        advice: `Check the clock of the receiver; a delivery that was held up on its way is refused too. ${repeats}`,
      },
    ]);
    expect(code).toBe(0);
    const stranger = await ask('b7c1e9d2b4f6085313');
    expect(stranger.of('receiver')).toMatchObject({
      result: 'failed',
      found: `The receiver at ${receiver.url} refuses the ADMIN_TOKEN.`,
    });
    counts = [old];
    // The one of these settings, on this machine.
    const own = await doctor({ PORT: new URL(receiver.url).port, ADMIN_TOKEN: 'a7c1e9d2b4f6085313' });
    expect(own.of('receiver')).toMatchObject({ result: 'ok' });
    const port = new URL(receiver.url).port;
    expect((await doctor({ PORT: port })).of('receiver')).toMatchObject({
      result: 'warning',
      found: `what answers at http://127.0.0.1:${port} does not take the ADMIN_TOKEN of these settings`,
    });
    const abroad = await doctor({ HOST: '192.0.2.1', PORT: '8080', ADMIN_TOKEN: 'a7c1e9d2b4f6085313' });
    expect(abroad.of('receiver')).toMatchObject({
      result: 'not_set_up',
      found:
        'the receiver at http://192.0.2.1:8080 is not asked without TLS, so it is not known what was refused',
    });
    await receiver.close();
  });

  it('finds everything in order, and sends nothing', async () => {
    const { code, results } = await doctor({}, 'mail: { reply_to: desk@example.com }');
    expect(results.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(code).toBe(0);
    expect(results.map(({ name }) => name)).toEqual([
      'settings',
      'service',
      'queue',
      'Slack token',
      'Slack scopes',
      'Slack channel C0MEETINGS',
      'Notion data source of notion-page',
      'mail server',
    ]);
    expect(vendors.mail.emulator.received()).toEqual([]);
    expect(vendors.slack.emulator.received()).toEqual([]);
  });

  it('says what to do about keys and tokens that are refused, and about servers that are away', async () => {
    vendors.slack.emulator.options.set({ token: 'revoked' });
    const { code, of } = await doctor({
      SERVICE_API_KEY: 'hunter2-wrong',
      QUEUE_URL: 'redis://:hunter2@127.0.0.1:1',
      SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1',
    });
    vendors.slack.emulator.options.reset();
    const away = await doctor({ SLACK_API_URL: 'http://127.0.0.1:1/api/' });
    expect(away.of('Slack token')).toEqual({
      name: 'Slack token',
      result: 'failed',
      found: expect.stringMatching(/^Slack (?:cannot be reached|did not answer)/),
      advice: 'Can this machine reach Slack, and is SLACK_API_URL right, where it is set?',
    });
    expect(code).toBe(1);
    expect(of('service')).toEqual({
      name: 'service',
      result: 'failed',
      found: expect.stringContaining('does not accept the API key (401)'),
      advice: 'Check SERVICE_API_KEY: a key that was regenerated makes the old one invalid at once.',
    });
    expect(of('queue')).toMatchObject({ result: 'failed', advice: 'Does it run, and is QUEUE_URL right?' });
    expect(of('Slack token')).toMatchObject({
      result: 'failed',
      found: expect.stringContaining('install the app again'),
      advice: 'OAuth & Permissions of the app shows its bot token.',
    });
    expect(of('mail server')).toMatchObject({ result: 'failed', found: expect.stringContaining('ECONN') });
  });

  it('warns of what goes to other hosts in clear, and fails for nothing', async () => {
    const { results } = await doctor({ NOTION_BASE_URL: 'http://notion.invalid' });
    expect(results.filter(({ name }) => name === 'encryption')).toEqual([
      {
        name: 'encryption',
        result: 'warning',
        found: 'NOTION_BASE_URL: what goes to notion.invalid is not encrypted',
        advice: 'Use https://, unless only a private network lies between.',
      },
    ]);
  });

  it('names why the queue takes no writes, where the server says so', async () => {
    const readOnly = encodeURIComponent('-c default_transaction_read_only=on');
    const { code, of } = await doctor({ QUEUE_URL: `${queueUrl}&options=${readOnly}` });
    expect(of('queue')).toEqual({
      name: 'queue',
      result: 'failed',
      found: expect.stringMatching(/^postgres:.*: it is read-only \(read_only\)$/),
      advice: 'QUEUE_URL must lead to the server that takes writes, not to a replica.',
    });
    expect(code).toBe(1);
  });

  it('looks at the channels, folders and addresses of recipes', async () => {
    const secret = 'whsec_aHVudGVyMmh1bnRlcjJodW50ZXIyaHVudGVyMg==';
    const { code, results, of } = await doctor(
      // Without a default channel and a default data source, since each recipe names its own.
      { SLACK_CHANNEL: '', NOTION_DATA_SOURCE_ID: '' },
      `recipes:
  here: { use: slack-recap, with: { channel: C0MEETINGS } }
  page: { use: notion-page, with: { dataSource: ${vendors.notion.dataSourceId} } }
  away: { use: slack-recap, with: { channel: C0AWAY } }
  gone: { use: slack-recap, with: { channel: C0GONE } }
  hook: { use: http-forward, with: { url: 'https://127.0.0.1/hunter2', secret: ${secret} } }
  files: { use: archive-export, with: { folder: ${join(folder, 'nowhere')} } }
`,
    );
    expect(code).toBe(1);
    expect(of('Slack channel C0AWAY')).toMatchObject({
      result: 'failed',
      advice: 'Invite the app there: /invite @ and its name.',
    });
    expect(of('Slack channel C0GONE')).toMatchObject({
      result: 'failed',
      found: 'Slack knows no such channel',
    });
    expect(results.filter(({ result }) => result === 'ok').map(({ name }) => name)).toEqual([
      'settings',
      'service',
      'queue',
      'Slack token',
      'Slack scopes',
      'Slack channel C0MEETINGS',
      'Notion data source of page',
      'mail server',
    ]);
    expect(of('address of hook')).toMatchObject({
      result: 'failed',
      found: expect.stringContaining('private network'),
    });
    expect(of('folder of files')).toMatchObject({ result: 'failed', advice: 'Make it.' });
  });

  it('proposes the id of a channel that is given by its name', async () => {
    const text = `recipes:
  away: { use: slack-recap, with: { channel: '#away' } }
  gone: { use: slack-alert, with: { channel: '#gone' } }
`;
    const { code, results, of } = await doctor({ SLACK_CHANNEL: '#meetings' }, text);
    expect(code).toBe(1);
    expect(results.map(({ name }) => name)).toEqual([
      'settings',
      'settings',
      'settings',
      'Slack channel #meetings',
      'Slack channel #away',
      'Slack channel #gone',
    ]);
    expect(of('Slack channel #meetings')?.advice).toBe('Write C0MEETINGS in place of #meetings.');
    expect(of('Slack channel #away')).toMatchObject({ result: 'failed', found: 'its id is C0AWAY' });
    expect(of('Slack channel #gone')).toMatchObject({ found: 'Slack shows no such channel' });
    vendors.slack.emulator.options.set({ scopes: ['chat:write'] });
    const limited = await doctor({ SLACK_CHANNEL: '#meetings' });
    vendors.slack.emulator.options.reset();
    expect(limited.of('Slack channel #meetings')).toMatchObject({
      advice: 'Add channels:read and groups:read to the app.',
    });
  });

  it('tells which scopes are missing, and for what', async () => {
    vendors.slack.emulator.options.set({ scopes: ['chat:write', 'channels:read'] });
    const { of } = await doctor();
    vendors.slack.emulator.options.reset();
    expect(of('Slack scopes')).toMatchObject({
      result: 'warning',
      found: expect.stringContaining('channels:history (finding a message'),
    });
  });

  it('tells settings that cannot be used', async () => {
    const { code, results } = await doctor({ PORT: 'x' });
    expect(code).toBe(1);
    expect(results).toEqual([
      {
        name: 'settings',
        result: 'failed',
        found: 'PORT: found "x"',
        advice: 'Expected a whole number from 0 to 65535.',
      },
    ]);
  });
});
