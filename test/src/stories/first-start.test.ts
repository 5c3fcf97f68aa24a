import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { runAftermeet } from './aftermeet-process.ts';

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
