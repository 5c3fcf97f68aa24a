import { setTimeout as pause } from 'node:timers/promises';

import { attach, type Keeper } from './attach.ts';
import type { Binaries } from './binaries.ts';
import { makeCluster, type Transport } from './cluster.ts';
import { removeStaleLock } from './postmaster-file.ts';
import type { ServerHome } from './server-home.ts';
import { startServer } from './start-server.ts';

/** A server that answers nobody is given up after this; one that we started may replay its log for longer. */
const GIVE_UP_AFTER_MS = 30_000;
const START_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 15;
/** Until then a lock may belong to a server that is just starting. */
const STALE_LOCK_AFTER_MS = 2000;

/** What ends by itself: another starter was faster, or children of a killed server are still dying. */
const RETRYABLE = /lock file .* already exists|pre-existing shared memory block|Address already in use/;

export interface EnsureOptions {
  readonly home: ServerHome;
  readonly binaries: Binaries;
  readonly transport: Transport;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Attaches to the server of a home, and starts it when nobody has. Any number of processes may do this
 * at once: the cluster appears whole, and PostgreSQL's own lock lets one server start; the others attach.
 */
export async function ensureServer({ home, binaries, transport, signal }: EnsureOptions): Promise<Keeper> {
  const beganMs = performance.now();
  const sinceMs = (): number => performance.now() - beganMs;
  let problem = '';
  while (sinceMs() < GIVE_UP_AFTER_MS) {
    signal?.throwIfAborted();
    const attachment = await attach(home);
    if (attachment.kind === 'attached') return attachment.keeper;
    if (attachment.kind === 'busy') {
      problem = attachment.problem;
    } else {
      const started = await start({ home, binaries, transport });
      if (started.kind === 'attached') return started.keeper;
      problem = started.problem;
      if (!RETRYABLE.test(problem)) break;
      if (problem.includes('lock file') && sinceMs() > STALE_LOCK_AFTER_MS) await removeStaleLock(home.data);
    }
    await pause(100, undefined, { signal });
  }
  throw new Error(
    `the embedded PostgreSQL in ${home.directory} does not run: ${problem} (its log: ${home.logFile})`,
  );
}

type Started =
  | { readonly kind: 'attached'; readonly keeper: Keeper }
  | { readonly kind: 'ended'; readonly problem: string };

async function start({ home, binaries, transport }: EnsureOptions): Promise<Started> {
  await makeCluster(home, binaries, transport);
  const server = await startServer(home, binaries, transport);
  const untilMs = performance.now() + START_WITHIN_MS;
  while (server.lastWords() === undefined && performance.now() < untilMs) {
    await pause(ASK_EVERY_MS);
    const attachment = await attach(home);
    if (attachment.kind === 'attached') return attachment;
  }
  return {
    kind: 'ended',
    problem: server.lastWords() ?? `it did not answer within ${START_WITHIN_MS} ms of its start`,
  };
}
