import { mostKeys } from './kept-keys.ts';

/** What this process knows of a delivery: nobody works on it, somebody does just now, or its execution was created. */
type ClaimState = 'free' | 'under way' | 'done';

export interface DeliveryClaims {
  readonly look: (key: string, nowMs: number) => ClaimState;
  readonly begin: (key: string) => void;
  /** The keys that begin so, without that beginning, the oldest first. */
  readonly listDone: (scope: string) => readonly string[];
  /** What this process has written into n8n's static data of a scope; undefined before the first time. */
  readonly lastWritten: (scope: string) => string | undefined;
  readonly noteWritten: (scope: string, kept: string) => void;
  /** `isDone`: its execution was stored, as n8n has told the sender or as that it runs shows. */
  readonly end: (key: string, isDone: boolean) => void;
  /** Its sender has gone, and n8n may still be storing its execution: under way until then, unless it ends before. */
  readonly linger: (key: string, untilMs: number) => void;
}

/**
 * Deliveries of all triggers of one process, in memory: each request gets its own copy of n8n's static data, so of two at once neither
 * sees the other there, and the one that is saved last wipes out what the other has added. Bounded, for all of them together.
 */
export function createDeliveryClaims(): DeliveryClaims {
  const underWay = new Set<string>();
  const done = new Set<string>();
  const lingering = new Map<string, number>();
  const written = new Map<string, string>();
  return {
    look: (key, nowMs) => {
      if (done.has(key)) return 'done';
      return underWay.has(key) || (lingering.get(key) ?? 0) > nowMs ? 'under way' : 'free';
    },
    listDone: (scope) =>
      [...done].filter((key) => key.startsWith(scope)).map((key) => key.slice(scope.length)),
    lastWritten: (scope) => written.get(scope),
    noteWritten: (scope, kept) => {
      written.set(scope, kept);
    },
    begin: (key) => {
      underWay.add(key);
    },
    linger: (key, untilMs) => {
      lingering.set(key, untilMs);
      for (const oldest of lingering.keys()) {
        if (lingering.size <= mostKeys) break;
        lingering.delete(oldest);
      }
    },
    end: (key, isDone) => {
      underWay.delete(key);
      lingering.delete(key);
      if (!isDone) return;
      done.add(key);
      for (const oldest of done) {
        if (done.size <= mostKeys) break;
        done.delete(oldest);
      }
    },
  };
}
