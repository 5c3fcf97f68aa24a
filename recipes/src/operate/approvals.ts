import type { ReportReader } from '@aftermeet/client';
import type { EffectJob } from '@aftermeet/queue';

import { hashContent, hashParts, NOT_MADE } from '../engine/compose.ts';
import { type DraftEdit, hashDraft } from '../engine/draft-edits.ts';
import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import type { Rendered } from '../engine/prepared-send.ts';
import type { BoundRecipe } from '../engine/recipe.ts';
import { buildDigest } from '../report/digest.ts';
import { createPeopleDirectory, type KnownPerson } from '../report/people-directory.ts';
import { listEffects } from './effects.ts';
import type { OperatorTools } from './operator-tools.ts';
import { retryEffect, type RetryOutcome, type RetryTools, traceEffect } from './repair.ts';

/** The effects that wait for approval, newest first. */
export function listHeld(ledger: OperatorTools['ledger']): AsyncIterable<LedgerEntry> {
  return listEffects({ states: ['held'] }, ledger);
}

export type ApprovalOutcome =
  /** A worker renders it again and sends it. */
  | { readonly kind: 'approved'; readonly retried: RetryOutcome }
  | { readonly kind: 'discarded' }
  /** It does not wait for approval (any more). */
  | { readonly kind: 'not_held'; readonly state: LedgerEntry['state'] };

/** What was seen of a held effect, and changed. */
export interface SeenDraft {
  readonly contentHash: string;
  readonly edit?: DraftEdit | undefined;
}

/**
 * Approves a held effect: a worker renders the current report and sends it, with the changes; with `seen` only if its content
 * is still that, else it is held again. Of two concurrent approvals one counts.
 */
export async function approveEffect(
  entry: LedgerEntry,
  tools: RetryTools & Pick<OperatorTools, 'keepEdit'>,
  seen?: SeenDraft,
): Promise<ApprovalOutcome> {
  const { effectKey } = entry;
  const approved = seen && hashDraft(seen.contentHash, seen.edit);
  if (approved !== undefined && approved !== seen?.contentHash)
    await tools.keepEdit(effectKey, approved, seen?.edit ?? {});
  const decided = await tools.ledger.resolveHeld(effectKey, 'approved', tools.clock(), approved);
  const state = decided ?? entry.state;
  if (state !== 'held') return { kind: 'not_held', state };
  return { kind: 'approved', retried: await retryEffect({ ...entry, state: 'pending' }, tools) };
}

/** Discards a held effect: it is `skipped`. */
export async function discardEffect(
  entry: LedgerEntry,
  { ledger, clock }: Pick<OperatorTools, 'ledger' | 'clock'>,
): Promise<ApprovalOutcome> {
  const state = (await ledger.resolveHeld(entry.effectKey, 'discarded', clock())) ?? entry.state;
  return state === 'held' ? { kind: 'discarded' } : { kind: 'not_held', state };
}

/** A held effect as it would be sent now. */
export type HeldEffect =
  | {
      readonly kind: 'rendered';
      readonly job: EffectJob;
      readonly rendered: Rendered;
      /** What an approval of this counts for. */
      readonly contentHash: string;
    }
  /** Its job was removed: approval finds its target again. */
  | { readonly kind: 'job_gone' }
  | { readonly kind: 'not_rendered'; readonly cause: string };

/** Renders a held effect from the report as it is now. Throws the client's `ServiceError`. */
export async function renderHeld(
  entry: LedgerEntry,
  {
    jobAdmin,
    client,
    recipes,
    people,
  }: Pick<OperatorTools, 'jobAdmin'> & {
    readonly client: ReportReader;
    readonly recipes: readonly BoundRecipe[];
    readonly people?: readonly KnownPerson[] | undefined;
  },
): Promise<HeldEffect> {
  const { job } = await traceEffect(entry, { jobAdmin });
  if (job?.data === undefined) return { kind: 'job_gone' };
  const { event, target, part, item } = job.data;
  const input = recipes.find(({ name }) => name === entry.recipe)?.input;
  if (input?.from !== 'report' && input?.from !== 'run')
    return { kind: 'not_rendered', cause: 'its recipe is not configured' };
  const answer = await client.reports.get(entry.meetingId);
  if (!answer.ready) return { kind: 'not_rendered', cause: 'the report is not ready' };
  const digest = buildDigest(answer.report, {
    withTranscript: input.needsTranscript === true,
    people: createPeopleDirectory(people),
  });
  if (input.from === 'run') {
    const made = await input.run(event, digest);
    if (!made.ok) return { kind: 'not_rendered', cause: made.cause };
    const parts = made.effects.filter((each) => each.target === target && each.item === item);
    const own = parts.find((each) => each.part === part);
    if (own === undefined) return { kind: 'not_rendered', cause: NOT_MADE };
    const contentHash = hashParts(own.rendered, parts);
    return { kind: 'rendered', job: job.data, rendered: own.rendered, contentHash };
  }
  const effect = { target, part, ...(item === undefined ? {} : { item }) };
  const rendered = input.render(digest, effect);
  if ('skip' in rendered) return { kind: 'not_rendered', cause: rendered.skip };
  const contentHash = hashContent(rendered, { name: entry.recipe, input, digest, effect });
  return { kind: 'rendered', job: job.data, rendered, contentHash };
}
