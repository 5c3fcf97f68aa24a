import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { type AftermeetProcess, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { waitFor } from './wait-for.ts';
import { SECRET } from './world.ts';

const WITHIN_MS = 20_000;
/** Six starts of a process among them, which a busy machine takes its time for. */
const STORY_WITHIN_MS = 90_000;

/** The processes that this one started. */
function listChildren(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
}

/** As the service does: what was not answered, or with 5xx, is sent again. But a connection may not just hang. */
async function deliverUntilTaken(hook: string, meetingId: string): Promise<void> {
  await waitFor(
    `delivery ${meetingId}`,
    async () => {
      const status = await deliver(hook, meetingId).catch(nameFault);
      if (status === 'TimeoutError') throw new Error(`delivery ${meetingId} got no answer`);
      return status === 200 ? true : undefined;
    },
    WITHIN_MS,
  );
}

describeEachStore(
  'several receiver processes at one address',
  (kind) => {
    let store: TestStore;
    let receiver: AftermeetProcess | undefined;

    beforeAll(async () => {
      store = await openTestStore(kind);
    });
    afterEach(() => receiver?.end('SIGKILL'));
    afterAll(() => store.dispose());

    it(
      'lose nothing when one of them is killed, and answer what is half sent when they are to stop',
      { timeout: STORY_WITHIN_MS },
      async () => {
        receiver = await startReceiver(store);
        const { pid, facts, log } = receiver;
        const hook = facts['hooks'] ?? '';
        const [killed = 0, other = 0, ...rest] = listChildren(pid);
        expect(rest).toEqual([]);
        await Promise.all(
          Array.from({ length: 60 }, async (_, index) => {
            if (index === 30) process.kill(killed, 'SIGKILL');
            await deliverUntilTaken(hook, `m-${index}`);
          }),
        );
        const metrics = await waitFor(
          'counts of two processes',
          () => readMetrics(facts['url'] ?? ''),
          WITHIN_MS,
        );
        expect(metrics).toMatch(/^aftermeet_deliveries_total\{outcome="accepted"\} [1-9]\d*$/m);
        expect(listChildren(pid)).toContain(other);
        expect(log()).toContain('a process ended: another takes its place');

        const { port } = new URL(facts['url'] ?? '');
        const body = '{"unsigned":true}';
        const head =
          `POST /hooks/default HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n`;
        const connections = await Promise.all(Array.from({ length: 6 }, () => open(Number(port))));
        for (const { socket, read } of connections) {
          // The first answer shows that a process has the connection.
          socket.write(`${head}${body}`);
          expect(await read()).toMatch(/^HTTP\/1\.1 401 /);
          socket.write(head + body.slice(0, 5));
        }
        const ended = receiver.end('SIGTERM');
        await waitFor('that nobody listens', () => isRefused(Number(port)), WITHIN_MS);
        for (const { socket, read } of connections) {
          socket.write(body.slice(5));
          expect(await read()).toMatch(/^HTTP\/1\.1 401 /);
          socket.destroy();
        }
        expect(await ended).toBe(0);
      },
    );
  },
  ['redis', 'embedded', 'postgres'],
);

describe('a connection on its way to a process that is killed', () => {
  it('is closed, so that its sender need not wait', { timeout: STORY_WITHIN_MS }, async () => {
    const store = await openTestStore('embedded');
    onTestFinished(() => store.dispose());
    const receiver = await startReceiver(store);
    onTestFinished(() => void receiver.end('SIGKILL'));
    const [killed = 0] = listChildren(receiver.pid);
    // Stopped, it takes none of the connections that it is handed.
    process.kill(killed, 'SIGSTOP');
    const hook = receiver.facts['hooks'] ?? '';
    const all = Array.from({ length: 4 }, (_, index) => deliver(hook, `m-${index}`).catch(nameFault));
    expect(await Promise.any(all)).toBe(200);
    process.kill(killed, 'SIGKILL');
    expect((await Promise.all(all)).map(String).toSorted()).toEqual(['200', '200', '200', 'TypeError']);
    await receiver.end('SIGTERM');
  });
});

describe('the first of several receiver processes', () => {
  it('leaves none behind when it is killed', { timeout: STORY_WITHIN_MS }, async () => {
    const store = await openTestStore('embedded');
    const receiver = await startReceiver(store);
    const others = listChildren(receiver.pid);
    expect(others).toHaveLength(2);
    expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
    await waitFor('the end of the others', () => (others.some(isAlive) ? undefined : true), WITHIN_MS);
    await store.dispose();
  });
});

function startReceiver(store: TestStore): Promise<AftermeetProcess> {
  return startAftermeet(['receiver', '--processes', '2', '--port', '0'], {
    QUEUE_URL: store.queueUrl,
    WEBHOOK_SECRET: SECRET,
  });
}

/** `TypeError` when a connection broke, `TimeoutError` when no answer came. */
function nameFault(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

async function readMetrics(url: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(WITHIN_MS) });
  const text = await answer.text();
  return /^aftermeet_processes 2$/m.test(text) ? text : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function open(port: number): Promise<{ socket: Socket; read: () => Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  return {
    socket,
    read: async () => {
      let text = '';
      while (!text.includes('"unauthorized"}')) {
        const data = once(socket, 'data', { signal: AbortSignal.timeout(WITHIN_MS) });
        text += String((await data)[0]);
      }
      return text;
    },
  };
}

async function isRefused(port: number): Promise<true | undefined> {
  try {
    const { socket } = await open(port);
    socket.destroy();
    return undefined;
  } catch {
    return true;
  }
}
