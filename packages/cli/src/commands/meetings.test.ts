import { openBackend, silentLog } from '@aftermeet/queue';
import { openOperatorTools } from '@aftermeet/recipes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../testing/for-the-file.ts';
import { readItems } from '../testing/read-items.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';

const queueUrl = await openStore('redis');
const backend = await openBackend(queueUrl, { log: silentLog });
afterAll(() => backend.close());

const atMs = Date.parse('2026-11-20T12:00:00Z');
const settle = (state: 'sent' | 'failed') =>
  state === 'sent'
    ? ({ state, reference: 'C0MEETINGS/1' } as const)
    : ({ state, cause: 'Slack does not know the channel' } as const);

beforeAll(async () => {
  const tools = await openOperatorTools(backend);
  for (const [effectKey, state] of [
    ['a1'.repeat(32), 'sent'],
    ['b2'.repeat(32), 'failed'],
  ] as const) {
    const facts = {
      recipe: state === 'sent' ? 'recap' : 'tasks',
      destination: 'slack',
      eventKind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '2026-11-20T12:00:00Z',
      targetHash: '',
      part: 0,
      traceId: '',
      receivedAtMs: atMs,
    };
    const request = { facts, nowMs: atMs, leaseMs: 1000, isTraceComplete: true, earliestMs: atMs };
    const claim = await tools.ledger.claim(effectKey, request);
    if (claim.state !== 'claimed') throw new Error(claim.state);
    await tools.ledger.settle(effectKey, claim.fence, settle(state), request);
  }
  tools.journal.note({
    meetingId: 'm_1',
    note: {
      kind: 'delivered',
      atMs,
      delivery: 'd1',
      event: 'meeting.completed',
      endpoint: 'sales',
      title: 'Acme \u001B[31mrenewal',
      recipes: [
        { name: 'recap', takes: true },
        { name: 'tasks', takes: true },
        { name: 'hr', takes: false, cause: 'its title is not "HR"' },
      ],
      effects: [
        { effectKey: 'a1'.repeat(32), recipe: 'recap', destination: 'slack', part: 0 },
        { effectKey: 'b2'.repeat(32), recipe: 'tasks', destination: 'slack', part: 0 },
      ],
    },
  });
  tools.journal.note({
    effectKey: 'a1'.repeat(32),
    note: { atMs: atMs + 1000, elapsedMs: 250, worker: 'host:7', outcome: 'sent' },
  });
  // What was noted is written when it closes.
  await tools.close();
});

const run = (...words: readonly string[]) => runAftermeet(words, { environment: { QUEUE_URL: queueUrl } });

describe('meetings', () => {
  it('are listed with what became of each', async () => {
    const { code, stdout } = await run('meetings', 'list');
    expect(code).toBe(0);
    expect(stdout).toContain('WHEN (UTC)        TITLE         WHAT BECAME OF IT ');
    expect(stdout).toContain('2026-11-20 12:00  Acme renewal  recap sent ');
    expect(stdout).toContain(
      'tasks failed: Slack does not know the channel · hr not taken: its title is not "HR"  m_1\n',
    );
    const { stdout: json } = await run('meetings', 'list', '--search', 'acme', '--json');
    expect(readItems(json)).toMatchObject([{ meetingId: 'm_1', at: '2026-11-20T12:00:00.000Z' }]);
  });

  it.each(['m_1', 'M_', 'renewal'])(
    'are shown by %s: each step, who did not take it, each effect',
    async (name) => {
      const { code, stdout } = await run('meetings', 'show', name);
      expect(code).toBe(0);
      expect(stdout).toContain(
        '2026-11-20T12:00:00Z  delivery meeting.completed at the endpoint sales: taken by recap, tasks\n' +
          '2026-11-20T12:00:01Z  recap to slack: sent (0.3 s, host:7)\n',
      );
      expect(stdout).toContain('Not taken by:\n  hr: its title is not "HR"\n');
      expect(stdout).toMatch(/tasks +slack +failed +.* Slack does not know the channel +(?:b2){32}\n$/);
    },
  );

  it('that are not there say where it was looked, and where else to look', async () => {
    const { code, stdout, stderr } = await run('meetings', 'show', 'm_9');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'No delivery of a meeting "m_9" was made into effects in the last 90 days, in the queue redis://',
    );
    expect(stderr).toContain('aftermeet reconcile finds lost deliveries');
    expect(stderr).toContain('--dev');
    const dev = await run('meetings', 'list', '--dev');
    expect(dev).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No meeting found .* of aftermeet dev\.\n$/),
    });
  });
});

describe('a meeting by the beginning of its id', () => {
  const ids = ['3f2a9c01-aaaa-4aaa-aaaa-aaaaaaaaaaaa', '77aa0011-bbbb-4bbb-abbb-bbbbbbbbbbbb'] as const;

  beforeAll(async () => {
    const tools = await openOperatorTools(backend);
    for (const meetingId of ids) {
      tools.journal.note({
        meetingId,
        note: {
          kind: 'delivered',
          atMs: atMs + 60_000,
          delivery: 'd2',
          event: 'meeting.completed',
          endpoint: 'sales',
          title: 'A title that leaves no room for anything beside it on any terminal',
          recipes: [{ name: 'recap', takes: true }],
          effects: [{ effectKey: 'a1'.repeat(32), recipe: 'recap', destination: 'slack', part: 0 }],
        },
      });
    }
    await tools.close();
  });

  it.each([60, 80, 120])('stands last in the list on a terminal of %d columns', async (width) => {
    const environment = { QUEUE_URL: queueUrl };
    const { stdout } = await runAftermeet(['meetings', 'list'], {
      environment,
      isTerminal: true,
      columns: () => width,
    });
    const lines = stdout.split('\n').filter((line) => line.includes('A title'));
    expect(lines.map((line) => line.slice(-9))).toEqual(expect.arrayContaining([' 3f2a9c01', ' 77aa0011']));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect((await run('meetings', 'list')).stdout).toContain(` ${ids[0]}\n`);
  });

  it.each([
    ['effects', 'list', '--state', 'all'],
    ['effects', 'recall'],
  ])('is taken by --meeting of %s %s', async (...words) => {
    const listed = await run(...words, '--meeting', '3f2a9c01', '--json');
    expect(listed.code).toBe(0);
    expect(listed).toEqual(await run(...words, '--meeting', ids[0], '--json'));
    expect(await run(...words, '--meeting', '01234567')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'No meeting has an id that begins with "01234567", among those that recipes worked on in the last 90 days.\n' +
        'Give the whole id: aftermeet search --json and aftermeet meetings list --json show whole ids.\n',
    });
  });

  it('is opened by its whole id', async () => {
    expect((await run('open', '77aa0011')).stdout).toBe(`http://127.0.0.1:8080/console/meetings/${ids[1]}\n`);
  });
});
