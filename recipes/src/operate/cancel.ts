import type { StoredJob } from '@aftermeet/queue';

import { CANCELLED } from '../engine/ledger/ledger.ts';
import { toSendRequest } from '../engine/record-outcome.ts';
import type { OperatorTools } from './operator-tools.ts';

interface CancelSelection {
  readonly recipe?: string | undefined;
  readonly destination?: string | undefined;
  readonly meetingId?: string | undefined;
  /** Of deliveries received since then. Milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
}

export interface CancelledEffect {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: string;
  readonly meetingId: string;
  readonly outcome: CancelOutcome;
}

export type CancelOutcome =
  /** It is not sent; a retry sends it after all. In a dry run: it would be so. */
  | 'cancelled'
  /** A worker has it now. */
  | 'under_way'
  /** An earlier attempt may have sent it: it stays, and its destination is asked. */
  | 'unclear'
  /** It ended meanwhile. */
  | 'ended';

/** A claim that sends nothing: longer than two steps of the store. */
const LEASE_MS = 15_000;

/** Cancels the effects that wait in their queues, one after the other. Whatever a worker has now goes its way. */
export async function* cancelWaiting(
  selection: CancelSelection,
  { isDryRun, who }: { readonly isDryRun: boolean; readonly who: string },
  tools: Pick<OperatorTools, 'jobAdmin' | 'ledger' | 'journal' | 'clock'>,
): AsyncIterable<CancelledEffect> {
  const { jobAdmin, journal, clock } = tools;
  for (const destination of await jobAdmin.listDestinations()) {
    if (selection.destination !== undefined && selection.destination !== destination) continue;
    for (const state of ['waiting', 'delayed'] as const) {
      for await (const job of jobAdmin.listEffects(destination, state)) {
        const { data } = job;
        if (data === undefined || !isSelected(data, selection)) continue;
        const { effectKey, recipe, event } = data;
        const { meetingId } = event;
        const outcome = await cancel(job, data, isDryRun, tools);
        if (!isDryRun && outcome === 'cancelled' && meetingId !== '') {
          const what = `cancelled: ${recipe} to ${destination}`;
          journal.note({ meetingId, note: { kind: 'operated', atMs: clock(), who, what } });
        }
        yield { effectKey, recipe, destination, meetingId, outcome };
      }
    }
  }
}

type Data = NonNullable<StoredJob<'effect'>['data']>;

function isSelected({ recipe, event }: Data, selection: CancelSelection): boolean {
  if (selection.recipe !== undefined && selection.recipe !== recipe) return false;
  if (selection.meetingId !== undefined && selection.meetingId !== event.meetingId) return false;
  return selection.sinceMs === undefined || Date.parse(event.receivedAt) >= selection.sinceMs;
}

async function cancel(
  { startedTimes }: Pick<StoredJob<'effect'>, 'startedTimes'>,
  data: Data,
  isDryRun: boolean,
  { ledger, clock }: Pick<OperatorTools, 'ledger' | 'clock'>,
): Promise<CancelOutcome> {
  const { effectKey } = data;
  if (isDryRun) {
    const known = await ledger.read(effectKey, clock());
    if (known === undefined || known.state === 'pending') return 'cancelled';
    if (known.state !== 'sending' && known.state !== 'unknown') return 'ended';
    return (known.leaseUntilMs ?? 0) > clock() ? 'under_way' : 'unclear';
  }
  const request = toSendRequest({ data, startedTimes });
  const claim = await ledger.claim(effectKey, { ...request, nowMs: clock(), leaseMs: LEASE_MS });
  if (claim.state === 'busy') return 'under_way';
  if (claim.state !== 'claimed' && claim.state !== 'probe') return 'ended';
  const settlement =
    claim.state === 'claimed'
      ? ({ state: 'skipped', cause: CANCELLED } as const)
      : ({ state: 'unknown', cause: 'it may have been sent before', isProbeUsed: false } as const);
  const { facts } = request;
  if (!(await ledger.settle(effectKey, claim.fence, settlement, { nowMs: clock(), facts })))
    return 'under_way';
  return claim.state === 'claimed' ? 'cancelled' : 'unclear';
}
