import type { Inbox, Log } from '@aftermeet/queue';

import { errorName } from './error-name.ts';
import { createRareLine } from './rare-line.ts';

type Readiness = 'ready' | 'queue_unavailable';

/** Asks whether the store takes writes. All who ask meanwhile share one ping of the inbox, which gives up within a second. */
export function createReadyCheck(
  inbox: Pick<Inbox, 'ping'>,
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined;
  let cause = '';
  const tell = createRareLine(
    (times) => log.warn({ error: cause, times }, 'not ready: the queue is away'),
    nowMs,
  );

  async function ask(): Promise<Readiness> {
    try {
      await inbox.ping();
      return 'ready';
    } catch (error) {
      cause = errorName(error);
      tell();
      return 'queue_unavailable';
    } finally {
      asking = undefined;
    }
  }
  return () => (asking ??= ask());
}
