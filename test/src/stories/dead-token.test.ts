import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeEachStore, openTestStore, type StoreKind, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

const CHANNELS = 5;
const PLACES = 16;
const MEETINGS = Number(process.env['AFTERMEET_DEAD_TOKEN_MEETINGS'] ?? 40);

const recipes = Array.from({ length: CHANNELS }, (_, at) => `c${at}`);

const settingsFile = `
recipes:
${recipes.map((name, at) => `  ${name}: { use: slack-recap, with: { channel: C0CHANNEL${at}, sections: [outcome, summary, decisions, tasks], link: "https://app.example.com/{meeting_id}" } }`).join('\n')}
  alert: { use: email-alert, with: { to: ops@example.com } }
destinations: { slack: { gap: 20ms } }
`;

const story = (kind: StoreKind): void => {
  let store: TestStore;
  let services: Services;
  let folder: string;
  let environment: Readonly<Record<string, string>>;
  let isRevoked = false;
  let refusedCalls = 0;
  const running: AftermeetProcess[] = [];

  beforeAll(async () => {
    store = await openTestStore(kind);
    services = await startServices({
      slack: () => {
        if (!isRevoked) return 'pass';
        refusedCalls += 1;
        return { status: 200, body: { ok: false, error: 'token_revoked' } };
      },
    });
    folder = await mkdtemp(join(tmpdir(), 'aftermeet-dead-token-'));
    const config = join(folder, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
    };
  });
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    await rm(folder, { recursive: true });
  });

  it('pauses Slack: all messages wait, and are sent once, the oldest first, with one alert', async () => {
    const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    running.push(receiver);
    const meetings: string[] = [];
    for (let at = 0; at < MEETINGS; at += 1) {
      const meetingId = await services.completeMeeting();
      expect(await deliver(`${receiver.facts['url']}/hooks/default`, meetingId)).toBe(200);
      meetings.push(meetingId);
    }
    // The emulator itself keeps the newest 500 only.
    const sent: { readonly channel: string }[] = [];
    services.vendors.slack.emulator.onReceived((message) => void sent.push(message));
    isRevoked = true;
    const worker = await startAftermeet(['worker'], environment);
    running.push(worker);
    const list = async () => (await runAftermeet(['effects', 'list'], environment)).stdout;
    const listed = await waitFor(
      'a pause that is shown',
      async () => {
        const shown = await list();
        return shown.includes('Nothing is sent by slack:') && /Slack answered token_revoked/.test(shown)
          ? shown
          : undefined;
      },
      20_000,
    );
    expect(listed).toMatch(/^Needs attention:\n/);
    const { mail } = services.vendors;
    await waitFor('the alert', () => mail.emulator.received().length > 0 || undefined, 20_000);
    const callsBefore = refusedCalls;
    isRevoked = false;
    // The next try comes half a minute after the last one.
    await waitFor(
      'every message',
      () => sent.length >= CHANNELS * MEETINGS || undefined,
      60_000 + MEETINGS * CHANNELS * 50,
    );
    const alerts = mail.emulator
      .received()
      .map(({ envelope, subject }) => `${envelope.to.join()}: ${subject}`);
    expect(alerts).toEqual(['ops@example.com: Nothing is sent by slack']);
    for (let at = 0; at < CHANNELS; at += 1) {
      const texts = sent
        .filter(({ channel }) => channel === `C0CHANNEL${at}`)
        .map((message) => JSON.stringify(message));
      const order = texts.map((text) => meetings.findIndex((meetingId) => text.includes(meetingId)));
      expect(order.toSorted((one, other) => one - other)).toEqual(meetings.map((_, index) => index));
      // The oldest goes first, but for those that are sent side by side.
      const moved = order
        .map((place, index) => Math.abs(place - index))
        .toSorted((one, other) => one - other);
      expect(moved[Math.floor(0.9 * moved.length)]).toBeLessThanOrEqual(PLACES);
    }
    expect(await list()).toBe('Nothing needs attention, and nothing waits.\n');
    // Those that were under way, not one for each message.
    expect(callsBefore).toBeLessThanOrEqual(2 * PLACES);
    expect(await worker.end('SIGTERM')).toBe(0);
  }, 180_000);
};

// It lasts for half a minute, and the stores share its code.
describeEachStore('a Slack token that is revoked and given back', story, ['redis']);
