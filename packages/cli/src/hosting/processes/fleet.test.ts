import type { MeterReading } from '@aftermeet/receiver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRecordingLog } from '../../testing/recording-log.ts';
import type { ReceiverSettings } from '../open-receiver.ts';
import { createFleet } from './fleet.ts';
import type { StartChild } from './member.ts';
import type { ToProcess } from './messages.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const settings: ReceiverSettings = {
  endpoints: { byName: new Map([['default', { secrets: ['whsec_0123456789abcdef'] }]]) },
  queueUrl: 'embedded:q',
  toleranceSeconds: 300,
  headerPrefix: 'X-Service',
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
  requireToken: false,
  maxBodyBytes: 1024,
  log: { level: 'info' },
};
const where = { url: 'http://127.0.0.1:5000', queue: 'q' };

const reading: MeterReading = {
  outcomes: { accepted: 2 },
  conflicts: 1,
  refusedCauses: { too_old: 1 },
  heldBytes: 10,
  connectionsDropped: 0,
  seconds: { counts: [1, 1], sum: 0.5 },
  residentBytes: 100,
  startedAtSeconds: 50,
};

/** Processes that do what the test says, and nothing else. */
function openFleet(count: number) {
  const children: (Parameters<StartChild>[0] & { readonly told: ToProcess[]; isKilled: boolean })[] = [];
  const { log, lines } = createRecordingLog();
  const fleet = createFleet({
    count,
    settings,
    startChild: (handlers) => {
      const child = { ...handlers, told: [] as ToProcess[], isKilled: false };
      children.push(child);
      return {
        tell: (message) => void child.told.push(message),
        kill: () => {
          child.isKilled = true;
        },
      };
    },
    reload: async () => ({ ok: true, endpoints: ['default'] }),
    log,
    nowMs: Date.now,
    killAfterMs: 9500,
  });
  const child = (index: number) => {
    const found = children[index];
    if (found === undefined) throw new Error(`there is no process ${index}`);
    return found;
  };
  const comeUp = (index: number): void => {
    child(index).onMessage({ kind: 'hello' });
    child(index).onMessage({ kind: 'up', ...where });
  };
  return { fleet, children, child, comeUp, lines };
}

describe('the start', () => {
  it('is over when all are up, each told the settings', async () => {
    const { fleet, child, comeUp } = openFleet(2);
    comeUp(0);
    comeUp(1);
    expect(await fleet.up).toEqual(where);
    expect(child(1).told).toEqual([{ kind: 'start', settings }]);
  });

  it('fails with what the first one says that can not', async () => {
    const { fleet, child, comeUp } = openFleet(2);
    comeUp(0);
    child(1).onMessage({ kind: 'failed', message: 'Port 80 is taken.' });
    child(1).onExit('exit code 1');
    await expect(fleet.up).rejects.toThrow('Port 80 is taken.');
  });
});

describe('a process that ends', () => {
  it('is replaced after a pause, by one with the newest endpoints', async () => {
    const { fleet, children, child, comeUp, lines } = openFleet(2);
    comeUp(0);
    comeUp(1);
    const endpoints = { byName: new Map() };
    const replaced = fleet.replace(endpoints);
    for (const { onMessage } of children) onMessage({ kind: 'replaced', id: 1 });
    await replaced;
    child(0).onExit('SIGKILL');
    expect(children).toHaveLength(2);
    vi.advanceTimersByTime(500);
    expect(children).toHaveLength(3);
    comeUp(2);
    expect(child(2).told).toEqual([{ kind: 'start', settings: { ...settings, endpoints } }]);
    expect(lines).toEqual([
      'error a process ended: another takes its place {"ended":"SIGKILL","restartInMs":500}',
    ]);
  });

  it('is replaced later each time, when it ends soon after its start', () => {
    const { comeUp, child, lines } = openFleet(1);
    comeUp(0);
    for (let index = 0; index < 9; index += 1) {
      child(index).onExit('SIGSEGV');
      vi.advanceTimersByTime(30_000);
      comeUp(index + 1);
    }
    const pauses = lines.map((line) => Number(/"restartInMs":(\d+)/.exec(line)?.[1]));
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    vi.advanceTimersByTime(60_000);
    child(9).onExit('SIGSEGV');
    expect(lines.at(-1)).toContain('"restartInMs":250');
  });

  it('leaves the port to the one that comes, when it was the last', () => {
    const { comeUp, child } = openFleet(1);
    comeUp(0);
    child(0).onExit('SIGKILL');
    vi.advanceTimersByTime(500);
    comeUp(1);
    expect(child(1).told).toEqual([{ kind: 'start', settings: { ...settings, port: 5000 } }]);
  });

  it('is given up when none is left and none can be started', async () => {
    const { fleet, comeUp, child, children } = openFleet(1);
    comeUp(0);
    child(0).onExit('SIGKILL');
    for (let index = 1; index <= 6; index += 1) {
      vi.advanceTimersByTime(30_000);
      child(index).onMessage({ kind: 'failed', message: 'The queue is away.' });
      child(index).onExit('exit code 1');
    }
    await expect(fleet.lost).rejects.toThrow('The queue is away.');
    vi.advanceTimersByTime(60_000);
    expect(children).toHaveLength(7);
  });

  it('is tried again for ever while another one works', () => {
    const { comeUp, child, children } = openFleet(2);
    comeUp(0);
    comeUp(1);
    child(1).onExit('SIGKILL');
    for (let index = 2; index < 20; index += 1) {
      vi.advanceTimersByTime(30_000);
      child(index).onExit('exit code 1');
    }
    vi.advanceTimersByTime(30_000);
    expect(children).toHaveLength(21);
  });
});

describe('the counts', () => {
  it('are of all that are up; of one that is silent or gone, those that it said last', async () => {
    const { child, comeUp } = openFleet(3);
    for (const index of [0, 1, 2]) comeUp(index);
    const ask = async (id: number, answering: readonly number[]) => {
      child(0).onMessage({ kind: 'list_readings', id });
      for (const index of answering) child(index).onMessage({ kind: 'reading', id, reading });
      await vi.advanceTimersByTimeAsync(1000);
      return child(0).told.find((message) => message.kind === 'readings' && message.id === id);
    };
    expect(await ask(1, [0, 1])).toEqual({ kind: 'readings', id: 1, readings: [reading, reading] });
    expect(await ask(2, [0, 2])).toEqual({ kind: 'readings', id: 2, readings: [reading, reading, reading] });
    child(1).onExit('SIGKILL');
    const sum = {
      ...reading,
      outcomes: { accepted: 4 },
      conflicts: 2,
      refusedCauses: { too_old: 2 },
      seconds: { counts: [2, 2], sum: 1 },
    };
    expect(await ask(3, [0, 2])).toEqual({ kind: 'readings', id: 3, readings: [sum, reading] });
  });

  it('are not counted twice of one that ends while it is asked', async () => {
    const { child, comeUp } = openFleet(2);
    for (const index of [0, 1]) comeUp(index);
    child(0).onMessage({ kind: 'list_readings', id: 1 });
    for (const index of [0, 1]) child(index).onMessage({ kind: 'reading', id: 1, reading });
    await vi.advanceTimersByTimeAsync(0);
    child(0).onMessage({ kind: 'list_readings', id: 2 });
    child(0).onMessage({ kind: 'reading', id: 2, reading });
    child(1).onExit('SIGKILL');
    await vi.advanceTimersByTimeAsync(1000);
    const readings = child(0).told.filter((message) => message.kind === 'readings');
    expect(readings.map((message) => message.readings.map(({ outcomes }) => outcomes))).toEqual([
      [{ accepted: 2 }, { accepted: 2 }],
      [{ accepted: 4 }],
    ]);
  });
});

describe('a reload', () => {
  it('answers the process that was asked for it', async () => {
    const { child, comeUp } = openFleet(1);
    comeUp(0);
    child(0).onMessage({ kind: 'reload', id: 7 });
    await vi.advanceTimersByTimeAsync(0);
    expect(child(0).told.at(-1)).toEqual({
      kind: 'reloaded',
      id: 7,
      result: { ok: true, endpoints: ['default'] },
    });
  });

  it('does not wait for ever for a process that is silent', async () => {
    const { fleet, comeUp, lines } = openFleet(1);
    comeUp(0);
    const replaced = fleet.replace({ byName: new Map() });
    await vi.advanceTimersByTimeAsync(1000);
    await replaced;
    expect(lines).toEqual(['warn not every process said that it has the new endpoints {"silent":1}']);
  });
});

describe('the end', () => {
  it('is over when all are gone, and nobody takes their place', async () => {
    const { fleet, children, child, comeUp } = openFleet(2);
    comeUp(0);
    comeUp(1);
    const closed = fleet.close();
    expect(child(1).told.at(-1)).toEqual({ kind: 'stop' });
    child(0).onExit('exit code 0');
    child(1).onExit('exit code 0');
    await closed;
    vi.advanceTimersByTime(60_000);
    expect(children).toHaveLength(2);
  });

  it('kills whoever does not stop', async () => {
    const { fleet, child, comeUp } = openFleet(1);
    comeUp(0);
    const closed = fleet.close();
    vi.advanceTimersByTime(9500);
    expect(child(0).isKilled).toBe(true);
    child(0).onExit('SIGKILL');
    await closed;
  });

  it('waits for nobody when nobody is there', async () => {
    const { fleet, child, children } = openFleet(1);
    child(0).onExit('exit code 1');
    await expect(fleet.up).rejects.toThrow('A process of the receiver ended with exit code 1.');
    await fleet.close();
    expect(children).toHaveLength(1);
  });
});
