import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type EffectJob, openBackend, silentLog, startJobWorker } from '@aftermeet/queue';
import { createPlanner, effectStates, type MeetingEntry, openOperatorTools } from '@aftermeet/recipes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { WORKSPACE } from '../settings/settings.ts';
import { makeFolder, openStore, startSandbox } from '../testing/for-the-file.ts';
import { readItems } from '../testing/read-items.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { stateChoices } from './effects-list.ts';

const slack = { token: 'xoxb-1', channel: 'C0SECRET' };
const recipes = [
  { name: 'slack-recap', use: 'slack-recap', when: {}, with: {} },
  { name: 'slack-alert', use: 'slack-alert', when: {}, with: {} },
];
const plan = createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes: {}, destinations: { slack } });

const folder = makeFolder();
const queueUrl = await openStore('postgres');
const backend = await openBackend(queueUrl, { log: silentLog });
const tools = await openOperatorTools(backend);
const worker = startJobWorker(backend, 'event', async () => ({ kind: 'done' }), {
  concurrency: 4,
  log: silentLog,
});
const { sandbox, url } = await startSandbox();
const environment = {
  QUEUE_URL: queueUrl,
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: 'sandbox_key',
  SLACK_BOT_TOKEN: slack.token,
  SLACK_CHANNEL: slack.channel,
};

afterAll(async () => {
  await worker.close();
  await tools.close();
  await backend.close();
});

const run = (...words: readonly string[]) => runAftermeet(words, { environment });

async function runJson(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readItems(stdout);
}

/** A delivery that a worker has taken, and the effect that it causes. */
async function deliver(
  meetingId: string,
  changes: { kind?: string; receivedAt?: string; body?: string } = {},
) {
  const { kind = 'meeting.completed', receivedAt = new Date().toISOString() } = changes;
  const data = { title: `About ${meetingId}`, report_url: 'https://reports.example/s3cret' };
  const body =
    changes.body ?? JSON.stringify({ event: kind, meeting_id: meetingId, timestamp: receivedAt, data });
  const id = `delivery-of-${meetingId}`;
  const job = { endpoint: 'default', key: 'capability', receivedAt, deliveryId: `header-${meetingId}`, body };
  await tools.queue.addEvent(id, job);
  await expect
    .poll(async () => (await tools.jobAdmin.findEvent(id))?.state, { timeout: 10_000 })
    .toBe('completed');
  const planned = plan(job, id);
  const effects = planned.ok ? planned.effects : [];
  await note(meetingId, {
    kind: 'delivered',
    atMs: Date.now(),
    delivery: id,
    event: kind,
    endpoint: 'default',
    recipes: [],
    effects: effects.map(nameEffect),
  });
  return { id, effects };
}

/** What a worker notes of a meeting. */
async function note(meetingId: string, entry: MeetingEntry): Promise<void> {
  const read = async (): Promise<number> => (await tools.journal.readMeetings([meetingId]))[0]?.length ?? 0;
  const before = await read();
  tools.journal.note({ meetingId, note: entry });
  await expect.poll(read).toBe(before + 1);
}

const nameEffect = ({ effectKey, recipe, destination, part }: EffectJob) => ({
  effectKey,
  recipe,
  destination,
  part,
});

async function noteEffects(effects: readonly EffectJob[]): Promise<void> {
  const [first] = effects;
  if (first === undefined) return;
  await note(first.event.meetingId, { kind: 'followed', atMs: Date.now(), effects: effects.map(nameEffect) });
}

async function settle(
  effect: EffectJob | undefined,
  state: 'failed' | 'parked' | 'skipped' | 'held',
  cause = 'channel_not_found',
) {
  if (effect === undefined) throw new Error('an effect is planned');
  const { effectKey, recipe, destination, part, event, traceId = '' } = effect;
  const nowMs = Date.now();
  const facts = {
    recipe,
    destination,
    eventKind: event.kind,
    meetingId: event.meetingId,
    occurrence: event.occurrence,
    targetHash: 'a5'.repeat(32),
    part,
    traceId,
    receivedAtMs: Date.parse(event.receivedAt),
  };
  const request = { nowMs, leaseMs: 1000, facts, isTraceComplete: true, earliestMs: nowMs };
  const claim = await tools.ledger.claim(effectKey, request);
  if (claim.state !== 'claimed') throw new Error(`it is ${claim.state}`);
  await tools.ledger.settle(effectKey, claim.fence, { state, cause }, { nowMs, facts });
  return effectKey;
}

describe('deliveries', () => {
  it('are listed with their effects, and shown without secrets', async () => {
    const { id, effects } = await deliver('m_1');
    const key = await settle(effects[0], 'failed');
    const list = await run('deliveries', 'list', '--meeting', 'm_1');
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(
      /^RECEIVED \(UTC\) +TITLE +STATE +EFFECTS +EVENT +ENDPOINT +MEETING +DELIVERY\n20\d\d-\d\d-\d\d \d\d:\d\d  About m_1  completed  1 failed  meeting\.completed  default   m_1      delivery-of-m_1\n$/,
    );
    const show = await run('deliveries', 'show', 'header-m_1');
    expect(show.stdout).toMatch(
      new RegExp(
        `^delivery  ${id}\n[^]*title     About m_1\n[^]*\nslack-recap  slack        failed  channel_not_found  ${key}\n$`,
      ),
    );
    const shown = await runJson('deliveries', 'show', id);
    expect(shown).toMatchObject({
      deliveryId: id,
      meetingId: 'm_1',
      effects: [{ effectKey: key, recipe: 'slack-recap', destination: 'slack', part: 0, verdict: 'failed' }],
    });
    const all =
      list.stdout + show.stdout + JSON.stringify(shown) + JSON.stringify(await runJson('deliveries', 'list'));
    expect(all).not.toMatch(/s3cret|capability|C0SECRET|xoxb/);
  });

  it('are shown with what their report has asked for', async () => {
    const { id, effects } = await deliver('m_follow');
    const [first] = effects;
    if (first === undefined) throw new Error('an effect is planned');
    await settle(first, 'skipped', '1 effect planned from the report');
    const follower = { ...first, effectKey: 'f0'.repeat(32), part: 1 };
    await settle(follower, 'skipped', 'it was sent before');
    const elsewhere = { ...first.event, occurrence: '2020-01-01T00:00:00Z' };
    const other = { ...follower, effectKey: 'f1'.repeat(32), event: elsewhere };
    await settle(other, 'skipped');
    await noteEffects([follower, other]);
    const all = [
      { effectKey: first.effectKey, verdict: 'expanded' },
      { effectKey: follower.effectKey, part: 1, verdict: 'skipped', cause: 'it was sent before' },
    ];
    expect(await runJson('deliveries', 'show', id)).toMatchObject({ effects: all });
    expect(await runJson('deliveries', 'list', '--meeting', 'm_follow')).toMatchObject([{ effects: all }]);
    const { stdout } = await run('deliveries', 'show', id);
    expect(stdout).toMatch(/report read +1 effect planned from the report +[\da-f]{64}\n.* f0f0f0f0f0f0/);
    expect(stdout).not.toContain('f1f1');
  });

  it('are shown with what a recipe has planned that the settings no longer name', async () => {
    const { id, effects } = await deliver('m_renamed');
    const key = await settle(effects[0], 'failed');
    const file = join(folder, 'renamed.yaml');
    await writeFile(file, 'recipes: { recap: { use: slack-recap } }');
    const shown = await runJson('deliveries', 'show', id, '--config', file);
    expect(shown).toMatchObject({
      effects: [
        { recipe: 'recap', verdict: 'new' },
        { recipe: 'slack-recap', effectKey: key, verdict: 'failed' },
      ],
    });
    await tools.jobAdmin.removeEvent(id);
  });

  it('are listed by time, endpoint and kind, and cut off at the limit', async () => {
    await deliver('m_2', { kind: 'meeting.failed' });
    const ids = async (...words: string[]) => {
      const found = (await runJson('deliveries', 'list', ...words)) as { meetingId: string }[];
      return found.map(({ meetingId }) => meetingId);
    };
    expect(await ids('--event', 'meeting.failed')).toEqual(['m_2']);
    expect(await ids('--endpoint', 'nowhere')).toEqual([]);
    expect(await ids('--until', '2026-01-01')).toEqual([]);
    expect(await ids('--since', '1h', '--meeting', 'm_2')).toEqual(['m_2']);
    const { stderr, stdout } = await run('deliveries', 'list', '--limit', '1');
    expect(stderr).toBe('The newest 1 deliveries; --limit all lists all of them.\n');
    expect(stdout.split('\n')).toHaveLength(3);
    expect((await run('deliveries', 'list', '--meeting', 'm_none')).stdout).toMatch(
      /^No delivery found in the queue postgres:.* is shown with --dev\.\n$/,
    );
  });

  it('are replayed, first dry, then for good, then to no effect', async () => {
    const { id } = await deliver('m_3');
    const dry = await run('deliveries', 'replay', id, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain(
      '  slack-recap  slack  new → queued\n\n1 delivery: 1 new → queued.\nNothing was changed',
    );
    expect((await run('deliveries', 'replay', id)).stdout).toContain('\n1 delivery: 1 new → queued.\n');
    expect((await run('deliveries', 'replay', id)).stdout).toContain('\n1 delivery: 1 waiting.\n');
  });

  it('are replayed by range, for one recipe', async () => {
    await deliver('m_4');
    const range = ['--since', '1h', '--recipe', 'slack-alert', '--dry-run'];
    const replayed = await runJson('deliveries', 'replay', ...range);
    const deliveries = replayed as { meetingId: string; effects: { recipe: string }[] }[];
    const found = deliveries.flatMap(({ meetingId, effects }) =>
      effects.map(({ recipe }) => [meetingId, recipe]),
    );
    expect(found).toEqual([['m_2', 'slack-alert']]);
    expect(deliveries.map(({ meetingId }) => meetingId)).toEqual(['m_1', 'm_follow', 'm_2', 'm_3', 'm_4']);
  });

  it('that are too old are replayed by force only', async () => {
    const { id } = await deliver('m_old', { receivedAt: '2020-07-07T12:00:00.000Z' });
    const refused = await run('deliveries', 'replay', id);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('not replayed: it is older than the ledger remembers');
    expect((await run('deliveries', 'replay', id, '--force', '--dry-run')).stdout).toContain('new → queued');
  });

  it('that are unreadable are named', async () => {
    const { id } = await deliver('m_odd', { body: 'no event' });
    const { code, stdout } = await run('deliveries', 'replay', id);
    expect(code).toBe(1);
    expect(stdout).toContain('not replayed: the stored delivery is not an event');
    expect((await run('deliveries', 'show', id)).stdout).toContain('cause     its body is not an event');
  });

  it('are shown as a test when aftermeet send made them for the test meeting', async () => {
    const body =
      '{"event":"meeting.completed","meeting_id":"m_test","timestamp":"2026-11-21T09:30:00Z","data":{"aftermeet_test":true}}';
    const { id } = await deliver('m_test', { body });
    expect((await run('deliveries', 'list', '--meeting', 'm_test')).stdout).toMatch(
      /  completed  none: a test  meeting\.completed  /,
    );
    expect((await run('deliveries', 'show', id)).stdout).toMatch(
      /\n\nA test delivery: no recipe runs on it\.\n$/,
    );
    expect(await runJson('deliveries', 'show', id)).toMatchObject({ isTest: true, effects: [] });
  });

  it('can be looked at without the recipes of the worker, and not replayed', async () => {
    const bare = { environment: { QUEUE_URL: queueUrl } };
    const show = await runAftermeet(['deliveries', 'show', 'delivery-of-m_1'], bare);
    expect(show.stdout).toContain(
      'The recipes of these settings cannot run, so their effects are not known.',
    );
    const replay = await runAftermeet(['deliveries', 'replay', 'delivery-of-m_1'], bare);
    expect(replay).toMatchObject({ code: 2, stdout: '' });
    expect(replay.stderr).toContain('A replay needs the recipes and destinations of the worker.');
  });
});

describe('effects', () => {
  it('can be listed in every state of the ledger, and while they wait', () => {
    expect(stateChoices).toEqual([...effectStates, 'waiting', 'all']);
  });

  it('that need attention are listed and shown', async () => {
    const key = await settle((await deliver('m_5')).effects[0], 'parked');
    const list = await run('effects', 'list', '--meeting', 'm_5');
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(
      new RegExp(
        `^Needs attention:\nCHANGED \\(UTC\\) +RECIPE +STATE +CAUSE +NEXT TRY \\(UTC\\) +DESTINATION +MEETING +ATTEMPTS +EFFECT\n[-: \\d]{16}  slack-recap  parked  channel_not_found +slack        m_5      1         ${key}\n\nNothing waits\\.\n$`,
      ),
    );
    const show = await run('effects', 'show', key.slice(0, 8));
    expect(show.stdout).toMatch(
      new RegExp(
        `^effect       ${key}\nstate        parked\n[^]*attempts     1\n[^]*trace        [0-9a-f]{32}\njob          not stored any more\n$`,
      ),
    );
    const shown = await runJson('effects', 'show', key);
    expect(shown).toMatchObject({ effectKey: key, state: 'parked', attempts: 1, meetingId: 'm_5' });
    expect(list.stdout + show.stdout + JSON.stringify(shown)).not.toMatch(/C0SECRET|targetHash|a5a5/);
    expect(await runJson('effects', 'list', '--state', 'sent')).toEqual([]);
    const { stdout } = await run('effects', 'list', '--state', 'all', '--limit', '1');
    expect(stdout.split('\n')).toHaveLength(3);
  });

  it('that wait without an entry in the ledger are listed, counted, found and tried at once', async () => {
    const [effect] = (await deliver('m_wait')).effects;
    if (effect === undefined) throw new Error('an effect is planned');
    const id = effect.effectKey.slice(0, 8);
    const never = await run('effects', 'show', id);
    expect(never.stdout).toMatch(
      /\nmeeting {6}m_wait\n[^]*\njob {10}never queued: aftermeet deliveries replay queues it\n$/,
    );
    const addedMs = Date.now();
    await tools.queue.addEffects([
      { job: effect, delayMs: 3_600_000 },
      { job: { ...effect, effectKey: 'e0'.repeat(32) }, delayMs: 7_200_000 },
    ]);
    await noteEffects([{ ...effect, effectKey: 'e0'.repeat(32) }]);
    const listed = await run('effects', 'list', '--meeting', 'm_wait', '--limit', '1');
    expect(listed.stdout).toMatch(
      new RegExp(
        `^Nothing needs attention\\.\n\nWaits, and is tried again without you:\nNEXT TRY \\(UTC\\) +RECIPE +CAUSE +DESTINATION +MEETING +EFFECT\n[-: \\d]{16}  slack-recap  the rate limit of its destination: others go first  slack        m_wait   ${effect.effectKey}\n$`,
      ),
    );
    expect(listed.stderr).toBe('1 of 2 effects that wait; --limit all lists all of them.\n');
    const [first] = (await runJson('effects', 'list', '--state', 'waiting', '--meeting', 'm_wait')) as {
      waiting: { nextTryAt: string };
    }[];
    expect(first).toMatchObject({ effectKey: effect.effectKey, state: 'waiting', needsAttention: false });
    expect(Date.parse(first?.waiting.nextTryAt ?? '')).toBeGreaterThanOrEqual(addedMs + 3_600_000);
    const all = await runJson('effects', 'list', '--state', 'all', '--meeting', 'm_wait');
    expect(all).toHaveLength(2);
    const shown = await runJson('effects', 'show', id);
    expect(shown).toMatchObject({
      effectKey: effect.effectKey,
      state: 'waiting',
      isRecorded: false,
      waiting: { why: 'slot' },
      job: { state: 'delayed', startedTimes: 0 },
    });
    expect((await run('effects', 'retry', id)).stdout).toContain('is tried again');
    expect(await runJson('effects', 'show', id)).toMatchObject({ waiting: { why: 'queued' } });
    expect(await runJson('effects', 'show', id, '--reveal')).toMatchObject({ target: 'C0SECRET' });
    expect((await run('effects', 'show', id, '--reveal')).stdout).toMatch(/^target +C0SECRET$/m);
    const { stdout: timeline } = await run('meetings', 'show', String(Object(shown).meetingId));
    expect(timeline).toContain(`(${id.slice(0, 8)}) goes`);
    expect(timeline).not.toContain('C0SECRET');
    expect(listed.stdout + JSON.stringify(all) + JSON.stringify(shown)).not.toMatch(/C0SECRET|targetHash/);
  });

  it('are tried again, by key and all that have failed', async () => {
    const key = await settle((await deliver('m_6')).effects[0], 'failed');
    expect((await run('effects', 'retry', key)).stdout).toBe(
      `${key.slice(0, 8)}  slack-recap  slack  is tried again\n`,
    );
    expect((await run('effects', 'retry', key)).stdout).toContain('waits for its slot');
    const other = await settle((await deliver('m_7')).effects[0], 'failed');
    const all = ['--failed', '--yes', '--recipe', 'slack-recap', '--meeting', 'm_7'];
    const retried = await runJson('effects', 'retry', ...all);
    expect(retried).toEqual([
      { effectKey: other, recipe: 'slack-recap', destination: 'slack', outcome: 'again' },
    ]);
    expect((await run('effects', 'retry', '--failed', '--meeting', 'm_7')).stdout).toBe(
      'No effect has failed.\n',
    );
  });

  it('are settled by hand', async () => {
    const key = await settle((await deliver('m_8')).effects[0], 'parked');
    expect((await run('effects', 'settle', key, '--sent', '--yes')).stdout).toBe(
      `The effect ${key.slice(0, 8)} is marked as sent.\n`,
    );
    expect(await run('effects', 'settle', key, '--not-sent', '--yes')).toMatchObject({
      code: 1,
      stderr: `The effect ${key.slice(0, 8)} is sent: only unknown, parked and failed effects can be settled.\n`,
    });
    const other = await settle((await deliver('m_9')).effects[0], 'parked');
    expect(await runJson('effects', 'settle', other, '--not-sent', '--yes')).toEqual({
      effectKey: other,
      state: 'pending',
      retried: 'again',
    });
  });
});

it.each<[string, string[], number, string]>([
  ['deliveries', ['show', 'no-such'], 1, 'There is no delivery "no-such": aftermeet deliveries list'],
  ['deliveries', ['show', 'delivery-of-'], 1, '"delivery-of-" is the start of several ids: '],
  ['deliveries', ['replay', 'no-such'], 1, 'There is no delivery "no-such"'],
  ['deliveries', ['replay'], 2, 'Name the deliveries, or give a range'],
  ['deliveries', ['replay', 'x', '--since', '1d'], 2, 'Name the deliveries, or give a range'],
  ['deliveries', ['replay', 'x', '--recipe', 'slack-recp'], 2, 'no recipe "slack-recp": slack-recap?'],
  ['deliveries', ['list', '--since', '1h', '--until', '2h'], 2, 'is later than --until ('],
  ['deliveries', ['list', '--since', 'yesterday'], 2, 'Expected how long ago, such as 90m or 2d'],
  ['effects', ['show', 'ffffffff'], 1, 'no effect "ffffffff": aftermeet effects list --state all'],
  ['effects', ['retry', 'ffffffff'], 1, 'There is no effect "ffffffff"'],
  ['effects', ['retry'], 2, 'Name the effects, or retry all failed ones'],
  ['effects', ['retry', 'x', '--failed'], 2, 'Name the effects, or retry all failed ones'],
  ['effects', ['settle', 'x'], 2, 'Add --sent or --not-sent.'],
  ['effects', ['settle', 'x', '--sent', '--not-sent'], 2, "cannot be used with option '--not-sent'"],
  [
    'effects',
    ['list', '--state', 'lost'],
    2,
    'Allowed choices are pending, sending, unknown, sent, skipped, failed, parked, held, waiting, all',
  ],
  ['reconcile', ['--endpoint', 'nowhere'], 2, '--endpoint: found the unknown endpoint "nowhere"; expected'],
])('%s %j exits %s: %s', async (command, words, code, message) => {
  const ended = await run(command, ...words);
  expect(ended.stderr).toContain(message);
  expect(ended.code).toBe(code);
});

describe('reconcile', () => {
  it('finds finished meetings whose delivery never came, and queues each once', async () => {
    const response = await fetch(`${url}/api/record-meeting`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ link: 'https://zoom.us/j/1', title: 'Planning' }),
    });
    const { meeting_id: meetingId } = (await response.json()) as { meeting_id: string };
    sandbox.completeMeeting(meetingId);
    const dry = await run('reconcile', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '1 meeting searched\n' });
    expect(dry.stdout).toMatch(
      new RegExp(
        `^START \\(UTC\\) +TITLE +EVENT +ENDPOINT +MEETING\n.*  Planning  meeting.completed  default   ${meetingId}\n\n1 meeting: 0 delivered, 0 not finished, 1 would be queued: run it without --dry-run.\nSearched: meetings from \\d{4}-\\d\\d-\\d\\d \\(UTC\\) until now, for all endpoints. Those of no known endpoint count for default.\n\nPlanning \\(${meetingId}\\) at the endpoint default:\n  slack-recap: Slack channel C0\\w+\n$`,
      ),
    );
    expect(await runJson('deliveries', 'list', '--meeting', meetingId)).toEqual([]);
    const items = [{ meetingId, event: 'meeting.completed', title: 'Planning' }];
    const queued: unknown = JSON.parse((await run('reconcile', '--since', '7d', '--json')).stdout);
    expect(queued).toMatchObject({ dryRun: false, items });
    await run('reconcile');
    const listed = z
      .array(z.looseObject({ meetingId: z.string().optional(), deliveryId: z.string() }))
      .parse(await runJson('deliveries', 'list'));
    const own = listed.filter((each) => each.meetingId === meetingId);
    expect(own).toMatchObject([{ endpoint: 'default', event: 'meeting.completed', title: 'Planning' }]);
    expect((await run('deliveries', 'show', own[0]?.deliveryId ?? '')).stdout).toContain(
      '\nsigned    no: queued by reconcile',
    );
    const nowMs = Date.now();
    const occurrence = new Date(nowMs).toISOString();
    await tools.meetings.note({
      meetingId,
      kind: 'meeting.completed',
      occurrence,
      endpoint: 'default',
      nowMs,
    });
    const again: unknown = JSON.parse((await run('reconcile', '--json')).stdout);
    expect(again).toMatchObject({ delivered: 1, items: [] });
  });

  it('names the endpoints where there are several, and what it has searched', async () => {
    const file = join(folder, 'endpoints.yaml');
    const secret = 'c0ffee00d15ea5ed0badf00ddeadbea';
    const settings = `endpoints: { hr: { secrets: [${secret}1] }, sales: { secrets: [${secret}2] } }\n`;
    const reconcile = async (text: string, ...words: readonly string[]) => {
      await writeFile(file, text);
      return await run('reconcile', '--dry-run', '--config', file, ...words);
    };
    expect(await reconcile(settings)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'There are several endpoints: hr, sales. All are searched; name the one for meetings whose own endpoint is ' +
        'not known, with --endpoint or as reconcile.endpoint in aftermeet.yaml.\n',
    });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const days = [day(5), day(1)];
    const configured = await reconcile(`${settings}reconcile: { since: 5d, endpoint: hr }\n`);
    expect(configured.stdout).toContain(
      `Searched: meetings from ${days[0]} (UTC) until now, for the endpoints hr, sales. Those of no known endpoint count for hr.\n`,
    );
    const asked = await reconcile(settings, '--endpoint', 'sales', '--since', '1d', '--json');
    const search = { from: days[1], endpoints: ['hr', 'sales'], endpoint: 'sales' };
    expect(JSON.parse(asked.stdout)).toMatchObject(search);
  });

  it('needs its settings, and says what the service answered', async () => {
    expect(await runAftermeet(['reconcile'])).toMatchObject({ code: 2 });
    const refused = { environment: { ...environment, SERVICE_API_KEY: 'wrong' } };
    const { code, stderr } = await runAftermeet(['reconcile'], refused);
    expect(code).toBe(4);
    expect(stderr).toContain('SERVICE_API_KEY');
  });
});

it('aftermeet approvals lists what is held, approves it once and discards it', async () => {
  const keys = [];
  for (const meetingId of ['m_held_1', 'm_held_2']) {
    const { effects } = await deliver(meetingId);
    await settle(effects[0], 'held', 'mail to people outside waits for approval');
    keys.push(effects[0]?.effectKey ?? '');
  }
  const [first = '', second = ''] = keys;
  // No mail is rendered by recipes that cannot run, and what they name is hidden as everywhere.
  const config = join(folder, 'cannot-run.yaml');
  await writeFile(config, "recipes: { mail: { use: email-follow-up, with: { to: 'anna@example.com' } } }");
  const cannot = await run('approvals', 'show', first, '--config', config);
  expect([cannot.code, cannot.stdout]).toEqual([2, '']);
  expect(cannot.stderr).toMatch(/^These settings can't be used:\n\nrecipes\.mail/);
  expect((await run('approvals', 'list')).stdout).toContain('waits for approval');
  const held = await run('effects', 'list', '--meeting', 'm_held_2');
  expect(held.stdout).toMatch(
    /^Needs attention:\n.*\n.* held .* mail to people outside .*\n\nNothing waits\.\n$/,
  );
  expect(await runJson('approvals', 'list')).toMatchObject([{ effectKey: second }, { effectKey: first }]);
  expect(await run('approvals', 'approve', first, second, '--seen', 'c0ffee')).toMatchObject({
    code: 2,
    stderr: '--seen is for one effect.\n',
  });
  expect(await run('approvals', 'approve', first, '--seen', 'c0ffee')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is approved: a worker sends it'),
  });
  expect(await tools.ledger.readApproval(first)).toBe('c0ffee');
  const again = await run('approvals', 'approve', first);
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('does not wait for approval') });
  expect(await run('approvals', 'discard', '--all')).toEqual({
    code: 2,
    stdout: '',
    stderr: '1 mail will be discarded. Add --yes if that is right.\n',
  });
  const questions: string[] = [];
  const answer = (word: string) => ({
    environment,
    ask: async ({ text }: { readonly text: string }) => {
      questions.push(text);
      return word;
    },
  });
  expect(await runAftermeet(['approvals', 'discard', '--all'], answer(''))).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed.\n',
  });
  expect((await runAftermeet(['approvals', 'discard', '--all'], answer('y'))).stdout).toContain(
    'is discarded',
  );
  expect(questions).toEqual([
    '1 mail will be discarded. Go on? [y/N] ',
    '1 mail will be discarded. Go on? [y/N] ',
  ]);
  expect((await tools.ledger.read(second, Date.now()))?.state).toBe('skipped');
  expect((await run('effects', 'list', '--meeting', 'm_held_2')).stdout).toBe(
    'Nothing needs attention, and nothing waits.\n',
  );
  expect((await run('approvals', 'list')).stdout).toBe('Nothing waits for approval.\n');
});

describe('a settings file that is wrong', () => {
  const file = join(folder, 'wrong.yaml');

  beforeAll(() => writeFile(file, 'recipes: { recap: { use: slack-recp } }\n'));

  it.each([
    [['deliveries', 'list'], 0, ''],
    [['effects', 'list'], 0, ''],
    [['approvals', 'list'], 0, ''],
    [['deliveries', 'replay', 'd_1'], 2, 'recipes.recap.use: found the unknown recipe "slack-recp"'],
    [['reconcile', '--dry-run'], 2, 'recipes.recap.use: found the unknown recipe "slack-recp"'],
  ])('prevents only what needs recipes or endpoints: %j ends with %d', async (words, code, problem) => {
    const { stderr, ...ended } = await run(...words, '--config', file);
    expect(ended).toMatchObject({ code });
    if (code === 0) expect(stderr).toBe('');
    else expect(stderr).toContain(problem);
  });

  it('does not hide that the address of the queue is wrong', async () => {
    const words = ['effects', 'list', '--config', file];
    const { code, stderr } = await runAftermeet(words, {
      environment: { QUEUE_URL: 'mysql://a', PORT: 'x' },
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "These settings can't be used:\n\n" +
        'QUEUE_URL: found mysql://… (9 characters); expected redis://…, rediss://…, redis+sentinel://…, postgres://… or embedded:FOLDER\n',
    });
  });
});
