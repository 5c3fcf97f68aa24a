import type { OverviewView } from '@aftermeet/receiver';
import type { OperatorTools, WorkerSign } from '@aftermeet/recipes';

/** The age of the delivery or effect that has waited longest for a worker; 0: none waits. */
export async function findOldestMs({ queue, jobAdmin, clock }: OperatorTools): Promise<number> {
  const destinations = await jobAdmin.listDestinations();
  const added = await Promise.all([undefined, ...destinations].map((name) => queue.findOldest(name)));
  const oldest = Math.min(...added.map((atMs) => atMs ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(oldest) ? Math.max(0, clock() - oldest) : 0;
}

/** What was sent and what failed, in spans of time that end now. */
export async function countBars(
  { ledger, clock }: Pick<OperatorTools, 'ledger' | 'clock'>,
  count: number,
  spanMs: number,
): Promise<OverviewView['lastHour']> {
  // Whole spans, so that a bar stays the same from one look to the next.
  const endMs = (Math.floor(clock() / spanMs) + 1) * spanMs;
  const edgesMs = Array.from({ length: count + 1 }, (_, index) => endMs - (count - index) * spanMs);
  const [sent = [], failed = [], parked = []] = await ledger.countChanges(
    ['sent', 'failed', 'parked'],
    edgesMs,
  );
  return sent.map((ofSpan, index) => ({
    fromMs: edgesMs[index] ?? 0,
    sent: ofSpan,
    failed: (failed[index] ?? 0) + (parked[index] ?? 0),
  }));
}

/** A worker goes by the store's clock; what its machine logs has the wrong time when its own is further off. */
export const MAX_SKEW_MS = 5000;
/** A queue that a worker serves is not so old. */
const MAX_OLDEST_MS = 5 * 60 * 1000;

/** A worker in a few words. */
export function describeWorker({ name, state, atMs, skewMs }: WorkerSign): OverviewView['workers'][number] {
  const isOff = Math.abs(skewMs) > MAX_SKEW_MS;
  const clock = isOff ? `, its clock is off by ${Math.round(skewMs / 1000)} s` : '';
  const tone = state === 'gone' || isOff ? 'bad' : state === 'alive' ? 'good' : 'none';
  return { name, words: `${state}${clock}`, tone, atMs };
}

/** What the workers' signs say that somebody has to see to. */
export function noticeWorkers(signs: readonly WorkerSign[], oldestMs: number): readonly string[] {
  const hasWorker = signs.some(({ state }) => state === 'alive');
  return [
    ...(!hasWorker ? ['No worker is alive: nothing is sent. Start one: aftermeet worker.'] : []),
    ...(oldestMs > MAX_OLDEST_MS
      ? [
          `Something has waited for a worker for ${Math.round(oldestMs / 60_000)} minutes: there are too few workers.`,
        ]
      : []),
    ...noticeClocks(signs),
  ];
}

/** The workers that are alive and whose clock is wrong, a sentence for each. */
export function noticeClocks(signs: readonly WorkerSign[]): readonly string[] {
  return signs
    .filter(({ state, skewMs }) => state === 'alive' && Math.abs(skewMs) > MAX_SKEW_MS)
    .map(({ name }) => `The clock of ${name} is wrong: set it by NTP.`);
}
