import { readWebhookEvent } from '@aftermeet/contract';

import { effectStates, type LedgerEntry } from '../engine/ledger/ledger.ts';
import { cancelWaiting } from './cancel.ts';
import { listEffects } from './effects.ts';
import type { OperatorTools } from './operator-tools.ts';
import { chooseSent, recallEffect, type RecallOutcome, type RecallTools } from './recall.ts';

export type ForgetTools = RecallTools &
  Pick<OperatorTools, 'jobAdmin' | 'journal' | 'dropDraft' | 'takeRequests' | 'forgetPeopleOf'>;

interface ForgottenEffect {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: string;
}

/** What was done to forget a meeting, or would be. */
export interface ForgetReceipt {
  readonly meetingId: string;
  readonly isDryRun: boolean;
  /** Messages, pages and files that are taken back. */
  readonly recalled: readonly ForgottenEffect[];
  /** What cannot be taken back, and why; of a dry run empty. */
  readonly stays: readonly (ForgottenEffect & { readonly outcome: RecallOutcome })[];
  /** Effects that waited, were held or had failed, and are not sent any more. */
  readonly ended: number;
  /** Deliveries and effects that a worker has now: forget the meeting again. */
  readonly underWay: number;
  /** Stored deliveries and effects, with title and addresses, that are deleted. */
  readonly deliveries: number;
  readonly jobs: number;
}

/**
 * Takes back what was sent about a meeting, ends what was not sent yet, and deletes its deliveries, effects and journal from the
 * store. The ledger and the index of meetings keep ids and hashes for 90 days, so that nothing is sent anew. May be repeated.
 */
export async function forgetMeeting(
  meetingId: string,
  isDryRun: boolean,
  tools: ForgetTools,
): Promise<ForgetReceipt> {
  const { jobAdmin, journal } = tools;
  const cancelled = await cancelAll(meetingId, isDryRun, tools);
  const recalled: ForgottenEffect[] = [];
  const stays: (ForgottenEffect & { outcome: RecallOutcome })[] = [];
  const entries = await listAll(meetingId, tools);
  for (const entry of chooseSent(entries)) {
    const { effectKey, recipe, destination } = entry;
    const outcome: RecallOutcome = isDryRun ? { kind: 'recalled' } : await recallEffect(entry, tools);
    if (outcome.kind === 'recalled') recalled.push({ effectKey, recipe, destination });
    else stays.push({ effectKey, recipe, destination, outcome });
  }
  let ended = cancelled.ended;
  for (const entry of entries) if (await endOpen(entry, isDryRun, tools)) ended += 1;

  const deliveries = await listDeliveries(meetingId, tools);
  const keys = new Map([...cancelled.keys, ...entries.map(keyAndDestination)]);
  const receipt = { meetingId, isDryRun, recalled, stays, ended, underWay: cancelled.underWay };
  if (isDryRun) return { ...receipt, deliveries: deliveries.length, jobs: keys.size };
  let removed = 0;
  for (const id of deliveries) if (await jobAdmin.removeEvent(id)) removed += 1;
  let jobs = 0;
  for (const [effectKey, destination] of keys) {
    if (await jobAdmin.removeEffect(destination, effectKey)) jobs += 1;
    await tools.takeRequests(effectKey);
    const approved = await tools.ledger.readApproval(effectKey);
    if (approved !== undefined) await tools.dropDraft(effectKey, approved);
  }
  await journal.forget(meetingId, [...keys.keys()]);
  await tools.forgetPeopleOf(meetingId);
  // A worker has those that could not be removed.
  const underWay = receipt.underWay + deliveries.length - removed;
  return { ...receipt, underWay, deliveries: removed, jobs };
}

async function cancelAll(meetingId: string, isDryRun: boolean, tools: ForgetTools) {
  const keys: (readonly [effectKey: string, destination: string])[] = [];
  let ended = 0;
  let underWay = 0;
  for await (const effect of cancelWaiting({ meetingId }, { isDryRun, who: 'aftermeet forget' }, tools)) {
    keys.push(keyAndDestination(effect));
    if (effect.outcome === 'cancelled') ended += 1;
    if (effect.outcome === 'under_way' || effect.outcome === 'unclear') underWay += 1;
  }
  return { keys, ended, underWay };
}

function keyAndDestination({ effectKey, destination }: ForgottenEffect): readonly [string, string] {
  return [effectKey, destination];
}

async function listAll(meetingId: string, { ledger }: ForgetTools): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of listEffects({ states: effectStates, meetingId }, ledger)) entries.push(entry);
  return entries;
}

/** Ends what a person could still send. */
async function endOpen(
  { effectKey, state }: LedgerEntry,
  isDryRun: boolean,
  { ledger, clock }: ForgetTools,
): Promise<boolean> {
  const isHeld = state === 'held';
  if (!isHeld && state !== 'failed' && state !== 'parked' && state !== 'unknown') return false;
  if (isDryRun) return true;
  if (isHeld) await ledger.resolveHeld(effectKey, 'discarded', clock());
  else await ledger.decide(effectKey, 'dismissed', clock(), 'its meeting is forgotten');
  return true;
}

/** The ids of all stored deliveries about the meeting, also of those that the journal has lost. */
async function listDeliveries(meetingId: string, { jobAdmin }: ForgetTools): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id, data } of jobAdmin.listEvents()) {
    if (data === undefined) continue;
    const reading = readWebhookEvent(new TextEncoder().encode(data.body));
    if (reading.ok && reading.event.meeting_id === meetingId) ids.push(id);
  }
  return ids;
}
