import type { EffectJob, EventJob, StoredJob } from '@aftermeet/queue';

import type { EntryPlace, LedgerEntry } from '../engine/ledger/ledger.ts';
import type { SeenMeeting } from '../engine/meetings/meeting-index.ts';
import type { OperatorTools } from '../operate/operator-tools.ts';
import { recordJournal } from './record-journal.ts';
import { sampleEvent } from './sample-report.ts';

/** What the tools hold, for tests to arrange and to look at. */
export interface MemoryTools extends OperatorTools {
  readonly events: Map<string, StoredJob<'event'>>;
  readonly effects: Map<string, StoredJob<'effect'>>;
  readonly entries: Map<string, LedgerEntry>;
  readonly seen: Map<string, SeenMeeting>;
  /** Endpoints by meeting id. */
  readonly orders: Map<string, string>;
  /** Every change that was asked for, in words. */
  readonly changes: string[];
}

async function close(): Promise<void> {}

function notNeeded(): never {
  throw new Error('not needed here');
}

/** The operator's tools over plain maps: for what is decided, not for how it is stored. */
export function createMemoryTools(nowMs: number): MemoryTools {
  const events = new Map<string, StoredJob<'event'>>();
  const effects = new Map<string, StoredJob<'effect'>>();
  const entries = new Map<string, LedgerEntry>();
  const seen = new Map<string, SeenMeeting>();
  const orders = new Map<string, string>();
  const changes: string[] = [];
  const change = (effectKey: string, state: LedgerEntry['state'], from: readonly string[]) => {
    const entry = entries.get(effectKey);
    if (entry !== undefined && from.includes(entry.state)) entries.set(effectKey, { ...entry, state });
    return entry?.state;
  };
  return {
    events,
    effects,
    entries,
    seen,
    orders,
    changes,
    clock: () => nowMs,
    journal: recordJournal(),
    isKeyRefused: async () => false,
    listPauses: async () => [],
    setPause: notNeeded,
    listUnknownPeople: async () => [],
    forgetPeopleOf: async () => {},
    setTaskDone: notNeeded,
    listSuppressions: async () => [],
    setSuppression: notNeeded,
    readUnsubscribeLink: notNeeded,
    keepEdit: notNeeded,
    dropDraft: async () => {},
    readRequest: notNeeded,
    takeRequests: async () => [],
    readLink: notNeeded,
    jobAdmin: {
      async *listEvents({ fromMs = 0, toMs = Number.POSITIVE_INFINITY } = {}) {
        const listed = [...events.values()].toSorted((one, other) => other.addedAtMs - one.addedAtMs);
        yield* listed.filter(({ addedAtMs }) => addedAtMs >= fromMs && addedAtMs <= toMs);
      },
      async *listEventIds({ fromMs = 0, toMs = Number.POSITIVE_INFINITY } = {}) {
        const listed = [...events.values()].toSorted((one, other) => other.addedAtMs - one.addedAtMs);
        yield listed.filter(({ addedAtMs }) => addedAtMs >= fromMs && addedAtMs <= toMs).map(({ id }) => id);
      },
      async *listWaitingEvents() {
        yield* [...events.values()].filter(({ state }) => state === 'waiting');
      },
      listDestinations: async () => [
        ...new Set(
          [...effects.values()].flatMap(({ data }) => (data === undefined ? [] : [data.destination])),
        ),
      ],
      findEvent: async (id) => events.get(id),
      findEventsByPrefix: async (prefix, limit) =>
        [...events.values()].filter(({ id }) => id.startsWith(prefix)).slice(0, limit),
      findEffect: async (destination, effectKey) => {
        const job = effects.get(effectKey);
        return job?.data === undefined || job.data.destination === destination ? job : undefined;
      },
      async *listEffects(destination, state) {
        for (const job of effects.values()) {
          if (job.state === state && job.data?.destination === destination) yield job;
        }
      },
      findEffectsByPrefix: async (prefix, limit) =>
        [...effects.values()].filter(({ id }) => id.startsWith(prefix)).slice(0, limit),
      async repeatEffect(_destination, effectKey) {
        const job = effects.get(effectKey);
        if (job === undefined || job.state === 'waiting' || job.state === 'active') return false;
        changes.push(`repeat ${effectKey}`);
        effects.set(effectKey, { ...job, state: 'waiting' });
        return true;
      },
      removeEvent: async (id) => events.delete(id),
      removeEffect: async (_destination, effectKey) => effects.delete(effectKey),
      close,
    },
    queue: {
      async addEffects(added) {
        for (const { job } of added) {
          if (effects.has(job.effectKey)) continue;
          changes.push(`add ${job.effectKey}`);
          effects.set(job.effectKey, storeEffect(job));
        }
      },
      async countEffects(destination) {
        const counts = { waiting: 0, active: 0, delayed: 0, completed: 0, failed: 0 };
        for (const job of effects.values()) if (job.data?.destination === destination) counts[job.state] += 1;
        return counts;
      },
      findOldest: async () => undefined,
      counts: async () => ({ waiting: events.size, active: 0, delayed: 0, completed: 0, failed: 0 }),
      async addEvent(id, data) {
        if (events.has(id)) return;
        changes.push(`event ${id}`);
        events.set(id, storeEvent(id, data, nowMs));
      },
    },
    ledger: {
      read: async (effectKey) => entries.get(effectKey),
      async list({ states, limit, after, meetingId, keyPrefix = '' }) {
        const listed = [...entries.values()]
          .filter((entry) => states.includes(entry.state) && entry.effectKey.startsWith(keyPrefix))
          .filter((entry) => meetingId === undefined || entry.meetingId === meetingId)
          .toSorted(compareEntries)
          .filter((entry) => after === undefined || compareEntries(entry, after) > 0);
        const next = listed.length > limit ? listed[limit - 1] : undefined;
        const page = { entries: listed.slice(0, limit) };
        return next === undefined ? page : { ...page, next };
      },
      async reopen(effectKey) {
        change(effectKey, 'unknown', ['parked']);
        return change(effectKey, 'pending', ['failed', 'skipped']);
      },
      decide: async (effectKey, verdict) =>
        change(effectKey, verdict === 'sent' ? 'sent' : 'pending', ['unknown', 'parked', 'failed']),
      resend: async (effectKey) => change(effectKey, 'unknown', ['sent']),
      markRecalled: async (effectKey) => change(effectKey, 'sent', ['sent']),
      resolveHeld: async (effectKey, decision) =>
        change(effectKey, decision === 'approved' ? 'pending' : 'skipped', ['held']),
      readApproval: notNeeded,
      claim: notNeeded,
      renew: notNeeded,
      settle: notNeeded,
      counts: notNeeded,
      countChanges: notNeeded,
      sweep: notNeeded,
      close,
    },
    meetings: {
      async note({ meetingId, kind, occurrence, endpoint, nowMs: seenAtMs }) {
        changes.push(`note ${meetingId}`);
        const before = seen.get(meetingId);
        const completed = kind === 'meeting.completed' ? { completedAt: occurrence } : {};
        seen.set(meetingId, { ...before, meetingId, seenAtMs, endpoint, ...completed });
        return before;
      },
      find: async (ids) => ids.flatMap((id) => seen.get(id) ?? []),
      noteOrder: async ({ meetingId, endpoint }) => void orders.set(meetingId, endpoint),
      findOrders: async (ids) => new Map([...orders].filter(([id]) => ids.includes(id))),
      list: notNeeded,
      sweep: notNeeded,
      close,
    },
  };
}

function compareEntries(one: EntryPlace, other: EntryPlace): number {
  if (one.changedAtMs !== other.changedAtMs) return other.changedAtMs - one.changedAtMs;
  if (one.effectKey === other.effectKey) return 0;
  return one.effectKey < other.effectKey ? 1 : -1;
}

/** A delivery as it is kept once it was planned. */
export function storeEvent(id: string, data: EventJob | undefined, addedAtMs: number): StoredJob<'event'> {
  return { id, state: 'completed', addedAtMs, startedTimes: 1, ...(data === undefined ? {} : { data }) };
}

export function storeEffect(
  data: EffectJob,
  state: StoredJob<'effect'>['state'] = 'waiting',
): StoredJob<'effect'> {
  return { id: data.effectKey, data, state, addedAtMs: 0, startedTimes: 1 };
}

/** An entry of the ledger about the sample meeting. */
export function makeEntry(changes: Partial<LedgerEntry> = {}): LedgerEntry {
  const { kind: eventKind, meetingId, occurrence } = sampleEvent;
  const facts = { recipe: 'recap', destination: 'slack', eventKind, meetingId, occurrence };
  const rest = { targetHash: 'h', part: 0, traceId: 't', receivedAtMs: 0, state: 'failed' } as const;
  const counts = { attempts: 1, probes: 0, firstIntentAtMs: 0, changedAtMs: 0 };
  return { effectKey: 'k1', ...facts, ...rest, ...counts, ...changes };
}
