import { checkAdvance } from '../clock/clock-limits.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { countRuns } from './cron-runs.ts';

/** Of all series together, reckoned by whole days: about a second's work. Every hour of a year is within it, every minute of a week not. */
const mostRuns = 10_000;

/** As the clock's own `advance`. Throws `RangeError`, and changes nothing, when series would come so often that nothing else were done for long. */
export function advanceClock(world: SandboxWorld, byMs: number): void {
  checkAdvance(byMs);
  const refusal = refuseAdvance(world, byMs);
  if (refusal !== undefined) throw new RangeError(refusal);
  world.clock.advance(byMs);
}

/** What is wrong with moving the clock on by so many milliseconds, a year at the most, and what to do instead; undefined where it can be done. */
export function refuseAdvance(
  { clock, life, meetings }: Pick<SandboxWorld, 'clock' | 'life' | 'meetings'>,
  byMs: number,
): string | undefined {
  // Without its questions, or its control routes, a series comes once at the most.
  if (life.transitions !== 'clock' && life.transitions !== 'immediate') return undefined;
  const nowMs = clock.now();
  let runs = 0;
  for (const { id, cron } of meetings.list()) {
    if (cron === undefined) continue;
    runs += countRuns(cron, nowMs, nowMs + byMs);
    if (runs > mostRuns) {
      return `The meetings that come again would do so more than ${String(mostRuns)} times until then, ${id} (${cron}) among them: move the clock on by less at once, or cancel that meeting.`;
    }
  }
  return undefined;
}
