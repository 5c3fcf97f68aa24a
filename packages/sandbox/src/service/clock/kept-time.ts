import { z } from 'zod';

import { DataFolderError } from '../state/data-folder-error.ts';
import type { Journal } from '../state/journal.ts';
import { createKept } from '../state/kept.ts';
import { clockLimits } from './clock-limits.ts';

/** A clock as it was at one moment: what another process goes on with. */
export interface ClockMark {
  /** The machine's time at that moment, and the sandbox's; Unix milliseconds. */
  readonly wallMs: number;
  readonly nowMs: number;
  readonly timeScale: number;
  readonly isFrozen: boolean;
  /** Whether it was the clock's last moment; otherwise its process may have run on. */
  readonly isStopped: boolean;
}

/** What is known of the clock of an earlier process; undefined when there was none, or when it ran as the machine's. */
export interface KeptTime {
  readonly read: () => ClockMark | undefined;
  readonly write: (mark: ClockMark) => void;
}

/** How often a clock that runs at a scale of its own leaves a mark. */
export const markEveryMs = 5000;
/** So long after its last mark a clock that was killed may have run. */
const longestRunMs = 2 * markEveryMs;

/**
 * The sandbox's time when the machine's is `wallMs`. A frozen clock stands where it stood. Otherwise time passed at the
 * scale as long as the clock may have run, so that it never goes back, and as the machine's while nothing ran: a night
 * at the scale 3600 would be years.
 */
export function goOn({ nowMs, timeScale, isFrozen, isStopped, ...mark }: ClockMark, wallMs: number): number {
  if (isFrozen) return nowMs;
  const passedMs = wallMs - mark.wallMs;
  const ranMs = isStopped ? 0 : Math.min(Math.max(passedMs, 0), longestRunMs);
  return nowMs + ranMs * timeScale + (passedMs - ranMs);
}

const markSchema = z.union([
  z
    .object({
      wallMs: z.number(),
      nowMs: z.number(),
      timeScale: z.number().gt(0).max(clockLimits.longestScale),
      isFrozen: z.boolean(),
      isStopped: z.boolean(),
    })
    .readonly(),
  // Folders of before hold how far the sandbox's time was ahead of the machine's.
  z.number().transform((nowMs) => ({ wallMs: 0, nowMs, timeScale: 1, isFrozen: false, isStopped: true })),
]);

/** The clock's mark in the data folder. */
export function keepTime(journal: Journal): KeptTime {
  const { read, write } = createKept<ClockMark | undefined>(journal, 'clock', markSchema, undefined);
  return {
    read,
    write(mark) {
      try {
        write(mark);
      } catch (error) {
        // Nobody could be told here that the disk is full; the clock tries again when it has moved on.
        if (!(error instanceof DataFolderError)) throw error;
      }
    },
  };
}
