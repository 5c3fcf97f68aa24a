import { asFields } from '@aftermeet/client/pure';

/** What is kept between polls. A meeting is known by its key (poll-candidates.ts). */
export interface PollState {
  /** Nothing that began before this is looked at; Unix milliseconds. */
  readonly sinceMs: number;
  /** Those that were emitted, or were there before the first poll, with when they began. */
  readonly settled: ReadonlyMap<string, number>;
  /** Of those, the ones that had failed, in the order of being asked: they may still be completed. */
  readonly failed: ReadonlySet<string>;
  /** Those that were not ready when they were asked last, in the order of being asked. */
  readonly waiting: readonly string[];
}

/** How many meetings are remembered; with more of them in the time looked at, the oldest are given up. */
export const mostSettled = 2000;

/** From what n8n keeps; undefined for nothing, or for what is no such text: then this is the first poll. Pure. */
export function readPollState(kept: unknown): PollState | undefined {
  if (typeof kept !== 'string') return undefined;
  const fields = parseFields(kept);
  const { sinceMs, failed, waiting } = fields ?? {};
  const settled = asFields(fields?.['settled']);
  if (typeof sinceMs !== 'number' || settled === undefined) return undefined;
  return {
    sinceMs,
    settled: new Map(Object.entries(settled).map(([key, ms]) => [key, Number(ms)])),
    failed: new Set(listTexts(failed)),
    waiting: listTexts(waiting),
  };
}

/** One text: what is an object in n8n's static data is watched property by property. */
export function writePollState({ sinceMs, settled, failed, waiting }: PollState): string {
  return JSON.stringify({ sinceMs, settled: Object.fromEntries(settled), failed: [...failed], waiting });
}

function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
