import { type EffectJob, groupReads, type StoredJob } from '@aftermeet/queue';

import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import { isOvertaken, DEFAULT_MAX_AGE_MS } from '../engine/plan.ts';
import { readDelivery, type StoredDelivery } from './deliveries.ts';
import { type EffectVerdict, explainEffect, isOver, isTriedBy } from './effects.ts';
import { listQueued } from './meetings.ts';
import type { OperatorTools, PlanDelivery } from './operator-tools.ts';
import { repeatJob } from './repair.ts';
import { describeQueued, explainWait } from './waiting.ts';

interface ReplayTools extends Pick<OperatorTools, 'jobAdmin' | 'queue' | 'ledger' | 'meetings' | 'clock'> {
  readonly plan: PlanDelivery;
}

interface ReplayOptions {
  /** Only this recipe's effects. */
  readonly recipe?: string;
  /** Says what would happen, and changes nothing. */
  readonly isDryRun?: boolean;
  /** Also deliveries from before the time that the ledger remembers. */
  readonly isForced?: boolean;
}

/** An effect of a delivery and its state. Without target, because a target can be an address. */
export interface ClassifiedEffect {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: EffectJob['destination'];
  readonly part: number;
  readonly verdict: EffectVerdict;
  /** Why it waits, or the cause in the ledger; contains no address. */
  readonly cause?: string;
}

export interface ReplayedDelivery {
  readonly delivery: StoredDelivery;
  readonly effects: readonly ClassifiedEffect[];
  /** Why the delivery is not replayed. */
  readonly refused?: string;
}

/**
 * Replays a stored delivery with the current recipes and the effect keys of the worker. Sent effects are not sent again,
 * failed ones are retried, and unknown ones (such as those of a new recipe) are queued. Idempotent.
 */
export async function replayDelivery(
  job: StoredJob<'event'>,
  { recipe, isDryRun = false, isForced = false }: ReplayOptions,
  tools: ReplayTools,
): Promise<ReplayedDelivery> {
  const delivery = readDelivery(job);
  const planned = await planReplay(job, isForced, tools);
  if (!planned.ok) return { delivery, effects: [], refused: planned.cause };
  if (planned.isUnnoted && !isDryRun) await noteMeeting(delivery, tools);
  const effects: ClassifiedEffect[] = [];
  for (const effect of planned.effects) {
    if (recipe !== undefined && effect.recipe !== recipe) continue;
    const classified = await classifyPlanned(effect, tools);
    effects.push(classified);
    if (!isDryRun && isTriedBy(classified.verdict)) await repeatJob(effect, tools);
  }
  return { delivery, effects };
}

/** Deliveries that are read, and in a dry run looked at, together. */
const PAGE = 100;

/**
 * Replays stored deliveries by their ids, one after the other in this order. A dry run changes nothing, so it looks at many
 * together. Undefined: a delivery that is not stored any more.
 */
export async function* replayAll(
  ids: readonly string[],
  options: ReplayOptions,
  tools: ReplayTools,
): AsyncGenerator<ReplayedDelivery | undefined, void, undefined> {
  const looking = { ...tools, meetings: { ...tools.meetings, find: findTogether(tools.meetings) } };
  for (let at = 0; at < ids.length; at += PAGE) {
    const jobs = await Promise.all(ids.slice(at, at + PAGE).map((id) => tools.jobAdmin.findEvent(id)));
    if (options.isDryRun === true) {
      yield* await Promise.all(jobs.map(async (job) => job && (await replayDelivery(job, options, looking))));
    } else for (const job of jobs) yield job && (await replayDelivery(job, options, tools));
  }
}

/** Deliveries that are looked at together ask for their meetings together. */
function findTogether(meetings: OperatorTools['meetings']): OperatorTools['meetings']['find'] {
  const findOne = groupReads(async (ids: readonly string[]) => {
    const seen = new Map((await meetings.find(ids)).map((one) => [one.meetingId, one]));
    return ids.map((id) => seen.get(id));
  }, PAGE);
  return async (ids) => (await Promise.all(ids.map(findOne))).filter((one) => one !== undefined);
}

type PlannedReplay =
  | {
      readonly ok: true;
      readonly effects: readonly EffectJob[];
      /** Its job failed before it recorded the meeting; without the record `reconcile` would queue it too. */
      readonly isUnnoted: boolean;
    }
  | { readonly ok: false; readonly cause: string };

async function planReplay(
  { id, data, state, cause }: StoredJob<'event'>,
  isForced: boolean,
  { plan, meetings, clock }: ReplayTools,
): Promise<PlannedReplay> {
  if (data === undefined) return { ok: false, cause: cause ?? 'the data of its job cannot be read' };
  // The worker will still plan its effects.
  if (state !== 'completed' && state !== 'failed') return { ok: false, cause: 'no worker has taken it yet' };
  const planned = plan(data, id);
  if (!planned.ok) return planned;
  if (planned.isTest) return { ok: false, cause: 'it is a test delivery: no recipe runs on it' };
  const isForgotten = !(clock() - Date.parse(data.receivedAt) <= DEFAULT_MAX_AGE_MS);
  if (!isForced && (planned.isTooOld || isForgotten)) {
    return {
      ok: false,
      cause: 'it is older than the ledger remembers, so what was sent for it is unknown',
    };
  }
  const [seen] = await meetings.find([planned.event.meetingId]);
  if (isOvertaken(planned.event, seen)) {
    return { ok: false, cause: 'its meeting has completed since, so its failure is no longer reported' };
  }
  return { ok: true, effects: planned.effects, isUnnoted: seen === undefined };
}

async function noteMeeting(
  { meetingId, kind, occurrence, endpoint, receivedAtMs }: StoredDelivery,
  { meetings, clock }: Pick<ReplayTools, 'meetings' | 'clock'>,
): Promise<void> {
  if (meetingId === undefined || kind === undefined || endpoint === undefined) return;
  const at = occurrence ?? new Date(receivedAtMs).toISOString();
  await meetings.note({ meetingId, kind, endpoint, occurrence: at, nowMs: clock() });
}

async function classifyPlanned(
  { effectKey, recipe, destination, part }: EffectJob,
  { ledger, jobAdmin, clock }: Pick<ReplayTools, 'ledger' | 'jobAdmin' | 'clock'>,
): Promise<ClassifiedEffect> {
  const entry = await ledger.read(effectKey, clock());
  const job = isOver(entry) ? undefined : await jobAdmin.findEffect(destination, effectKey);
  const verdict = explainEffect(entry, job);
  const wait = verdict === 'waiting' && job !== undefined ? explainWait(job) : undefined;
  const cause = wait?.cause ?? entry?.cause;
  return { effectKey, recipe, destination, part, verdict, ...(cause === undefined ? {} : { cause }) };
}

type ClassifyTools = Pick<ReplayTools, 'plan' | 'ledger' | 'jobAdmin' | 'clock'> &
  Pick<OperatorTools, 'journal'>;

/**
 * All effects of a stored delivery with their states: the effects planned from the event, after those of each recipe the
 * effects planned from the report, and then what recipes planned that the settings no longer have. What is not planned from
 * the event is known by the journal.
 */
export async function classifyDelivery(
  job: StoredJob<'event'>,
  tools: ClassifyTools,
): Promise<readonly ClassifiedEffect[]> {
  const plan = job.data === undefined ? undefined : tools.plan(job.data, job.id);
  if (plan?.ok !== true) return [];
  const planned = await Promise.all(plan.effects.map((effect) => classifyPlanned(effect, tools)));
  const others = await classifyOthers({ delivery: job.id, event: plan.event }, planned, tools);
  const recipes = new Set([...planned, ...others].map(({ recipe }) => recipe));
  const all = [...planned, ...others];
  return [...recipes].flatMap((name) => all.filter(({ recipe }) => recipe === name));
}

async function classifyOthers(
  { delivery, event }: { readonly delivery: string; readonly event: EffectJob['event'] },
  planned: readonly ClassifiedEffect[],
  tools: ClassifyTools,
): Promise<readonly ClassifiedEffect[]> {
  const [entries = []] = await tools.journal.readMeetings([event.meetingId]);
  const planning = entries.filter((entry) => entry.kind === 'delivered' && entry.delivery === delivery);
  const recipes = new Set([...planned, ...listQueued(planning)].map(({ recipe }) => recipe));
  const keys = new Set(planned.map(({ effectKey }) => effectKey));
  const others = listQueued(entries).filter(
    ({ recipe, effectKey }) => recipes.has(recipe) && !keys.has(effectKey),
  );
  const found = await Promise.all(
    others.map(async ({ effectKey, destination, recipe }) => {
      const recorded = await tools.ledger.read(effectKey, tools.clock());
      // A series has the effects of all its meetings in one journal.
      if (recorded !== undefined && !isOf(event, recorded)) return [];
      const job = await tools.jobAdmin.findEffect(destination, effectKey);
      const entry = recorded ?? (job && describeQueued(job));
      if (entry === undefined || !isOf(event, entry)) return [];
      const { part, state, cause } = entry;
      const why = cause === undefined ? {} : { cause };
      return [
        { effectKey, recipe, destination, part, verdict: explainEffect({ state, ...why }, job), ...why },
      ];
    }),
  );
  return found.flat().toSorted((one, other) => one.part - other.part);
}

/** Two effects of one recipe and one event differ only in target, part and item. */
function isOf({ kind, occurrence }: EffectJob['event'], entry: LedgerEntry): boolean {
  return entry.eventKind === kind && entry.occurrence === occurrence;
}
