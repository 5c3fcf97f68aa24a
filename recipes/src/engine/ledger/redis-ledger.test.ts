import { type Backend, openBackend, silentLog } from '@aftermeet/queue';
import { describeWithProgram, type RedisServer, startRedisServer } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { requestAt } from '../../testing/effect-requests.ts';
import { openLedger } from '../store/open-stores.ts';
import type { Ledger } from './ledger.ts';

const minuteMs = 60_000;

describeWithProgram('redis-server', 'an effect whose job was started before without a trace', () => {
  let server: RedisServer;
  let backend: Backend;
  let nowMs = Date.now();
  let ledger: Ledger;
  let lastKey = 0;

  beforeAll(async () => {
    server = await startRedisServer();
    backend = await openBackend(server.url, { log: silentLog });
    ledger = await openLedger(backend, { clock: () => nowMs });
  });
  afterAll(async () => {
    await ledger.close();
    await backend.close();
    await server.stop();
  });

  /** Claims an effect whose delivery came at that time. */
  async function claimOf(earliestMs: number): Promise<string> {
    lastKey += 1;
    const request = requestAt(nowMs, { isTraceComplete: false, earliestMs });
    return (await ledger.claim(`effect-${lastKey}`, request)).state;
  }

  async function waitUntilKnown(): Promise<void> {
    await expect.poll(() => claimOf(nowMs + 60 * minuteMs)).toBe('claimed');
  }

  it('has surely sent nothing when the server has forgotten nothing since its delivery', async () => {
    const startedMs = nowMs;
    await waitUntilKnown();
    nowMs += 10 * minuteMs;
    expect(await claimOf(startedMs + 7 * minuteMs)).toBe('claimed');
    // A receiver's clock may be five minutes off.
    expect(await claimOf(startedMs + 5 * minuteMs)).toBe('probe');
  });

  it('is looked for when the server was restarted since, also by a worker that is new', async () => {
    const deliveredMs = nowMs;
    nowMs += 10 * minuteMs;
    await server.kill();
    await server.start();
    expect(await claimOf(deliveredMs)).toBe('probe');
    const restartedMs = nowMs;
    await waitUntilKnown();
    nowMs += 10 * minuteMs;
    expect(await claimOf(restartedMs + 7 * minuteMs)).toBe('claimed');
    expect(await claimOf(deliveredMs)).toBe('probe');

    const other = await openLedger(backend, { clock: () => nowMs + 10 * minuteMs });
    const request = (earliestMs: number) => requestAt(nowMs, { isTraceComplete: false, earliestMs });
    await expect
      .poll(
        async () => (await other.claim(`other-${(lastKey += 1)}`, request(restartedMs + 7 * minuteMs))).state,
      )
      .toBe('claimed');
    expect((await other.claim('other', request(deliveredMs))).state).toBe('probe');
    await other.close();
  });
});
