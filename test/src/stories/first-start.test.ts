import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { runAftermeet, startUntil } from './aftermeet-process.ts';

describeEachStore('aftermeet dev --once', (kind) => {
  let store: TestStore;

  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());

  it('sends one meeting to all three destinations and exits 0', async () => {
    const { code, stdout, stderr } = await runAftermeet(['dev', '--once'], {
      QUEUE_URL: store.queueUrl,
      PORT: '0',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const stops = [...stdout.matchAll(/✓ (\w+)/g)].map(([, name]) => name);
    expect(stops.slice(0, 3)).toEqual(['recorded', 'completed', 'delivered']);
    expect(stops.toSorted()).toEqual([
      'completed',
      'delivered',
      'email',
      'fetched',
      'notion',
      'recorded',
      'slack',
    ]);
    expect(stdout).toContain('Arrived everywhere');
  });

  it('prints the result as JSON', async () => {
    const { code, stdout } = await runAftermeet(['dev', '--once', '--json'], {
      QUEUE_URL: store.queueUrl,
      PORT: '0',
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });
});

describeEachStore('aftermeet dev beside another', (kind) => {
  let store: TestStore;

  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());

  it('says so and leaves it alone, and starts at once after it was killed', async () => {
    const environment = { QUEUE_URL: store.queueUrl, PORT: '0' };
    const first = await startUntil(['dev'], environment, 'Enter runs another meeting');
    try {
      process.kill(first.pid, 'SIGHUP');
      const second = await runAftermeet(['dev', '--once'], environment);
      expect([second.code, second.stdout]).toEqual([1, '']);
      expect(second.stderr).toMatch(
        new RegExp(
          `^Another aftermeet dev runs on the queue \\S+: process ${first.pid}, at http://127.0.0.1:\\d+/_sandbox.\n` +
            'Use that one, or stop it, or set QUEUE_URL to another queue.\n$',
        ),
      );
      expect(first.log()).toBe('SIGHUP ignored: this process reads its settings only when it starts\n');
    } finally {
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
    }
    const next = await runAftermeet(['dev', '--once'], environment);
    expect({ code: next.code, stderr: next.stderr }).toEqual({ code: 0, stderr: '' });
  });
});
