import type { EffectJob, JobQueue, TakenJob } from '@aftermeet/queue';
import { z } from 'zod';

import type { ApprovalRequest } from './approval-rules.ts';
import type { Connectors } from './destination.ts';
import type { DedupeKey, Ledger } from './ledger/ledger.ts';
import type { Outcome } from './outcome.ts';
import { identifyEffect } from './plan.ts';
import type { Rendered } from './prepared-send.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { BoundRecipe } from './recipe.ts';
import { changeRecord, readNote, type SharedStore } from './store/shared-store.ts';

const recordSchema = z.object({
  effectKey: z.string(),
  contentHash: z.string(),
  /** Where the request went. */
  destination: z.string(),
  target: z.string(),
  by: z.array(z.string()),
  to: z.string(),
  subject: z.string(),
  expiresAtMs: z.number(),
});

/** What the store keeps of a request: what an answer to it counts for. */
export type ApprovalRecord = z.infer<typeof recordSchema>;

/** The event of a request; its meeting is that of the message that waits. */
const REQUESTED = 'approval.requested';

/** An id is the key of the request's own effect and the beginning of the content's hash. */
const ID_LENGTH = 80;
const KEY_LENGTH = 64;

const REMIND_AFTER_MS = 24 * 60 * 60 * 1000;

export interface AskingForApprovalTools extends QueueingTools {
  readonly queue: Pick<JobQueue, 'addEffects' | 'findQueued'>;
  readonly ledger: Pick<Ledger, 'readApproval'>;
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  readonly workspace: string;
}

/**
 * Queues the requests for an effect that is held: one now, and one after a day, which is skipped if the effect does not wait
 * any more. Asked again they have the same keys. An effect that is held again, because it has changed since an approval, has
 * new ones.
 */
export async function askForApproval(effect: EffectJob, tools: AskingForApprovalTools): Promise<void> {
  const { queue, ledger, recipes, workspace } = tools;
  const recipe = recipes.get(effect.recipe);
  const asks = recipe?.approval?.asks ?? [];
  if (recipe === undefined || asks.length === 0) return;
  const { effectKey, destination, target, part, item, event, traceId } = effect;
  const approved = (await ledger.readApproval(effectKey)) ?? '';
  const held = { effectKey, destination, target, part, eventKind: event.kind, ...(item && { item }) };
  const plan = (reminder: 0 | 1): readonly EffectJob[] =>
    asks.map((ask) => ({
      ...identifyEffect(
        recipe,
        { ...event, kind: REQUESTED },
        { ...ask, part: reminder, item: `${effectKey} ${approved}` },
        { workspace, traceId },
      ),
      held,
    }));
  await queueEffects(plan(0), tools, { mayBeQueued: true });
  await queue.addEffects(plan(1).map((job) => ({ job, delayMs: REMIND_AFTER_MS })));
}

export interface RequestTools {
  readonly ledger: Pick<Ledger, 'read'>;
  readonly connectors: Pick<Connectors, 'readDraft' | 'askApproval'>;
  readonly keepRequest: (id: string, record: ApprovalRecord) => Promise<void>;
  /** The address that approves a request; undefined: there is no public one. */
  readonly linkTo: (id: string) => Promise<string | undefined>;
  readonly clock: () => number;
}

interface Composed {
  readonly kind: 'composed';
  readonly rendered: Rendered;
  readonly dedupe?: DedupeKey;
}

const GONE = 'it does not wait for approval any more';

/** Makes the request for a held effect, from the effect as it would be sent now. Its answer counts for exactly this. */
export async function composeRequest(
  { effectKey, recipe: name, destination, target, part, event }: EffectJob,
  held: NonNullable<EffectJob['held']>,
  recipe: BoundRecipe,
  tools: RequestTools,
  compose: (
    job: Pick<TakenJob<'effect'>, 'data'>,
  ) => Promise<Composed | { readonly kind: 'expanded' } | Outcome>,
): Promise<Composed | Outcome> {
  const { ledger, connectors, clock } = tools;
  const { asks = [], by = [], expiresMs = 0 } = recipe.approval ?? {};
  // A job alone decides no target.
  if (!asks.some((ask) => ask.destination === destination && ask.target === target))
    return { kind: 'skipped', cause: 'the recipe does not ask there' };
  const nowMs = clock();
  const entry = await ledger.read(held.effectKey, nowMs);
  if (entry?.state !== 'held' || entry.recipe !== name) return { kind: 'skipped', cause: GONE };
  const { eventKind, ...waiting } = held;
  const composition = await compose({
    data: { ...waiting, recipe: name, event: { ...event, kind: eventKind } },
  });
  if (composition.kind === 'expanded') return { kind: 'skipped', cause: GONE };
  if (composition.kind !== 'composed') return composition;
  const contentHash = composition.dedupe?.contentHash;
  const draft = connectors.readDraft?.(composition.rendered);
  if (draft === undefined || contentHash === undefined)
    return { kind: 'failed', cause: 'a message of this kind cannot be shown for approval' };
  const id = `${effectKey}${contentHash.slice(0, ID_LENGTH - KEY_LENGTH)}`;
  const to = held.target;
  const expiresAtMs = nowMs + expiresMs;
  const { subject, text } = draft;
  await tools.keepRequest(id, {
    effectKey: held.effectKey,
    contentHash,
    destination,
    target,
    by: [...by],
    to,
    subject,
    expiresAtMs,
  });
  const title = event.title ?? subject;
  const url = await tools.linkTo(id);
  const request: ApprovalRequest = {
    id,
    title,
    recipe: name,
    to,
    subject,
    text,
    url,
    expiresAtMs,
    isReminder: part > 0,
  };
  const rendered = connectors.askApproval?.(destination, request);
  return rendered === undefined
    ? { kind: 'failed', cause: `${destination} cannot ask for approval` }
    : { kind: 'composed', rendered };
}

/** Beyond its time, so that an answer that comes too late is told so. */
const KEPT_LONGER_MS = 7 * 24 * 60 * 60 * 1000;

/** Keeps what an answer to a request counts for. */
export async function keepRequest(
  store: Pick<SharedStore, 'swap'>,
  id: string,
  record: ApprovalRecord,
  nowMs: number,
): Promise<void> {
  const keepMs = record.expiresAtMs - nowMs + KEPT_LONGER_MS;
  await changeRecord(
    store,
    { name: nameOf(id), schema: recordSchema, keepMs },
    () => ({ answer: undefined, next: record }),
    nowMs,
  );
  const open = { name: openNameOf(record.effectKey), schema: idsSchema, keepMs };
  await changeRecord(
    store,
    open,
    (ids = []) => ({
      answer: undefined,
      ...(ids.includes(id) ? {} : { next: [...ids, id].slice(-MAX_OPEN) }),
    }),
    nowMs,
  );
}

const idsSchema = z.array(z.string());

/** As many as a reminder and a few changes of a report make. */
const MAX_OPEN = 20;

/** The requests for an effect that show buttons; they are forgotten here, because somebody has decided. */
export async function takeRequests(
  store: Pick<SharedStore, 'swap' | 'read'>,
  effectKey: string,
  nowMs: number,
): Promise<readonly { readonly requestKey: string; readonly record: ApprovalRecord }[]> {
  const { answer: ids } = await changeRecord(
    store,
    {
      name: openNameOf(effectKey),
      schema: idsSchema,
      keepMs: KEPT_LONGER_MS,
      known: await store.read(openNameOf(effectKey)),
    },
    (known = []) => (known.length === 0 ? { answer: known } : { answer: known, next: [] }),
    nowMs,
  );
  const records = await Promise.all(ids.map((id) => readRequest(store, id)));
  return records.flatMap((record, index) =>
    record === undefined ? [] : [{ requestKey: (ids[index] ?? '').slice(0, KEY_LENGTH), record }],
  );
}

/** Undefined: no such request is known. */
export async function readRequest(
  store: Pick<SharedStore, 'read'>,
  id: string,
): Promise<ApprovalRecord | undefined> {
  if (!/^[0-9a-f]{80}$/.test(id)) return undefined;
  return readNote(recordSchema, await store.read(nameOf(id)));
}

function openNameOf(effectKey: string): string {
  return `approvals:${effectKey}`;
}

function nameOf(id: string): string {
  return `approval:${id}`;
}
