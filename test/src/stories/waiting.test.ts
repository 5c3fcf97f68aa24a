import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const rowsSchema = z.array(
  z.object({
    effectKey: z.string(),
    recipe: z.string(),
    state: z.string(),
    needsAttention: z.boolean(),
    waiting: z.object({ why: z.string(), cause: z.string(), nextTryAt: z.string().optional() }).optional(),
  }),
);

describeEachStore('what waits', (kind) => {
  let store: TestStore;
  let services: Services;
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    store = await openTestStore(kind);
    services = await startServices();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.end('SIGKILL')));
  });
  afterAll(async () => {
    await services.close();
    await store.dispose();
  });

  function readSettings(changes: Readonly<Record<string, string>> = {}) {
    const { SERVICE_BASE_URL = '', SERVICE_API_KEY = '', SLACK_API_URL = '' } = services.settings;
    return {
      QUEUE_URL: store.queueUrl,
      SERVICE_BASE_URL,
      SERVICE_API_KEY,
      SLACK_API_URL,
      SLACK_BOT_TOKEN: 'xoxb-story',
      SLACK_CHANNEL: 'C0STORY',
      ...changes,
    };
  }

  async function start(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const started = await startAftermeet(words, environment);
    running.push(started);
    return started;
  }

  const run = async (...words: readonly string[]) => (await runAftermeet(words, readSettings())).stdout;

  /** The effect that waits for this. */
  const findWaiting = (why: string) =>
    waitFor(
      `an effect that waits: ${why}`,
      async () => {
        const rows = rowsSchema.parse(JSON.parse(await run('effects', 'list', '--json')).items);
        return rows.find(({ waiting }) => waiting?.why === why);
      },
      20_000,
    );

  /** What a command prints once it looks like this: a try that is under way looks otherwise for a moment. */
  const readOutput = (pattern: RegExp, ...words: readonly string[]) =>
    waitFor(
      `${words.join(' ')} like ${String(pattern)}`,
      async () => {
        const stdout = await run(...words);
        return pattern.test(stdout) ? stdout : undefined;
      },
      20_000,
    );

  async function recordMeeting(): Promise<string> {
    const recorded = await fetch(`${services.serviceUrl}/api/record-meeting`, {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox_key', 'content-type': 'application/json' },
      body: JSON.stringify({ link: 'https://meet.example.com/waiting', title: 'Not over yet' }),
    });
    return z.object({ meeting_id: z.string() }).parse(await recorded.json()).meeting_id;
  }

  it('for its report or for a key is listed with cause and next try, and found by its id', async () => {
    const [receiver, worker] = await Promise.all([
      start(['receiver', '--port', '0'], { ...readSettings(), WEBHOOK_SECRET: SECRET }),
      start(['worker'], readSettings()),
    ]);
    const hookUrl = `${receiver.facts['url']}/hooks/default`;
    expect(await run('effects', 'list')).toBe('Nothing needs attention, and nothing waits.\n');

    const meetingId = await recordMeeting();
    expect(await deliver(hookUrl, meetingId)).toBe(200);
    const report = await findWaiting('report_not_ready');
    expect(report).toMatchObject({
      recipe: 'slack-recap',
      state: 'waiting',
      needsAttention: false,
      waiting: { cause: 'the report is not ready', nextTryAt: expect.stringMatching(/^20\d\d-.*Z$/) },
    });
    const id = report.effectKey.slice(0, 8);
    const row = `.*  the report is not ready  .*${meetingId}.*  ${report.effectKey}`;
    await readOutput(
      new RegExp(`^Nothing needs attention\\.\n\nWaits, and is tried again without you:\n.*\n${row}\n$`),
      'effects',
      'list',
    );
    const shown = await readOutput(
      /^effect +\w{64}\nstate +waiting\nwaits +the report is not ready\nnext try +20/,
      'effects',
      'show',
      id,
    );
    await readOutput(/ waiting .*the report is not ready/, 'deliveries', 'show', `story-${meetingId}`);

    await fetch(`${services.serviceUrl}/_sandbox/meetings/${meetingId}/complete`, { method: 'POST' });
    // It may have come due by itself.
    await run('effects', 'retry', id);
    await waitFor(
      'the message',
      () => (services.vendors.slack.emulator.received().length === 1 ? true : undefined),
      20_000,
    );
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await run('effects', 'list')).toBe('Nothing needs attention, and nothing waits.\n');

    await start(['worker'], readSettings({ SERVICE_API_KEY: 'wrong' }));
    expect(await deliver(hookUrl, await services.completeMeeting())).toBe(200);
    const refused = await findWaiting('key_refused');
    expect(refused).toMatchObject({ state: 'waiting', needsAttention: true });
    const listed = await readOutput(
      new RegExp(
        `^Needs attention:\n[^]*\n.* the service refused the API key \\(401\\) .*${refused.effectKey}\n`,
      ),
      'effects',
      'list',
    );
    expect(listed).toContain('set SERVICE_API_KEY, and restart the workers.');
    await readOutput(
      /\nwaits +the service refused the API key \(401\)\n/,
      'effects',
      'show',
      refused.effectKey,
    );
    expect(listed + shown).not.toMatch(/xoxb|C0STORY|whsec/);
  });
});
