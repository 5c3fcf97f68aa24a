import {
  createGroupedWriter,
  groupReads,
  isPostgresDataError,
  type PostgresBackend,
  writeGroup,
} from '@aftermeet/queue';
import { z } from 'zod';

import { openPostgresLink, type PostgresLink, writeRows } from '../store/postgres-link.ts';
import { groupSettings, readOccurrenceMs } from '../store/store-tools.ts';
import {
  checkClaim,
  checkSettlement,
  type ClaimItem,
  readClaims,
  readEntry,
  readSettled,
  type SettleItem,
} from './ledger-rows.ts';
import {
  ANY_CONTENT,
  DECIDED,
  describeDismissal,
  APPROVAL_KEPT_MS,
  DISCARDED,
  type Claim,
  type EffectFacts,
  type EffectState,
  effectStateSchema,
  type EntryPlace,
  isProbeUsed,
  type Ledger,
  type LedgerEntry,
  noCounts,
  RECALLED,
  retentionMs,
  type DedupeKey,
} from './ledger.ts';
import {
  claimFunctionName,
  describeLedgerSchema,
  isPast,
  settleFunctionName,
} from './postgres-ledger-schema.ts';

/** Two groups of claims, two of settlements, and one for everything else. */
const maxConnections = 5;

/**
 * Opens the ledger on PostgreSQL: a row for each effect, durable when it answers; what a dedupe key was sent is read from
 * the rows of its effects. Makes its table and functions where they are missing.
 */
export async function openPostgresLedger(backend: PostgresBackend): Promise<Ledger> {
  const { namespace } = backend;
  const objects = describeLedgerSchema(namespace);
  const link = await openPostgresLink(backend, { maxConnections, objects });

  async function callFunction(name: string, rows: readonly object[]): Promise<unknown> {
    const text = `select "${namespace}".${name}($1) as answers`;
    const { rows: answered } = await link.outlast({ name, text, values: [writeRows(rows)] });
    return answered[0]?.answers;
  }
  const claim = async (group: readonly ClaimItem[]): Promise<readonly Claim[]> =>
    readClaims(await callFunction(claimFunctionName, group.map(toClaimRow)));
  const settle = async (group: readonly SettleItem[]): Promise<readonly boolean[]> =>
    readSettled(await callFunction(settleFunctionName, group.map(toSettleRow)));
  const claims = createGroupedWriter<ClaimItem, Claim>(
    (group) => writeGroup(group, claim, isPostgresDataError),
    groupSettings,
  );
  const settlements = createGroupedWriter<SettleItem, boolean>(
    (group) => writeGroup(group, settle, isPostgresDataError),
    groupSettings,
  );
  return {
    // What PostgreSQL has confirmed it does not forget: `isTraceComplete` tells it nothing.
    claim: async (effectKey, request) => await claims.write(checkClaim({ effectKey, request })),
    settle: async (effectKey, fence, settlement, request) =>
      await settlements.write(checkSettlement({ effectKey, fence, settlement, request })),
    ...createPostgresRepairs(link, namespace),
    close: () => link.close([claims, settlements]),
  };
}

const approvalsSchema = z.array(z.object({ content_hash: z.string() }));

const stateRowsSchema = z.array(z.object({ state: effectStateSchema }));

const countRowsSchema = z.array(z.object({ state: effectStateSchema, count: z.coerce.number() }));

const spanRowsSchema = z.array(
  z.object({ state: effectStateSchema, span: z.number(), count: z.coerce.number() }),
);

const keySchema = z.object({ effect_key: z.string() });

const READ_TOGETHER = 100;

/** Everything but claims and settlements: single statements that no hot path takes. */
function createPostgresRepairs(
  link: PostgresLink,
  namespace: string,
): Pick<
  Ledger,
  | 'renew'
  | 'read'
  | 'list'
  | 'counts'
  | 'countChanges'
  | 'reopen'
  | 'resend'
  | 'markRecalled'
  | 'decide'
  | 'resolveHeld'
  | 'readApproval'
  | 'sweep'
> {
  const table = `"${namespace}".ledger_effects`;

  /**
   * Changes a row that is in one of the states, and answers with the state that it had in any case. One that is
   * sending counts as unknown once its lease is over.
   */
  async function change(
    [effectKey, nowMs]: readonly [string, number],
    states: readonly EffectState[],
    set: string,
    cause = '',
  ): Promise<EffectState | undefined> {
    const { rows } = await link.ask(
      `with found as (
         select effect_key, case when state = 'sending' and lease_until_ms <= $2::bigint then 'unknown' else state end as state
           from ${table} as e
          where effect_key = $1 and not ${isPast('e', '$2::bigint')} for update
       ), changed as (
         update ${table} as e set changed_at_ms = $2::bigint, cause = $4, ${set} from found
          where e.effect_key = found.effect_key and (found.state = any ($3) or found.state <> e.state)
       )
       select state from found`,
      [effectKey, nowMs, states, cause],
    );
    return stateRowsSchema.parse(rows)[0]?.state;
  }

  /** An operator asks for many in one turn. */
  const read = groupReads(
    async (asked: readonly { readonly effectKey: string; readonly nowMs: number }[]) => {
      const { rows } = await link.ask(
        `select e.* from unnest($1::text[], $2::bigint[]) as asked (effect_key, now_ms)
         join ${table} as e on e.effect_key = asked.effect_key where not ${isPast('e', 'asked.now_ms')}`,
        [asked.map(({ effectKey }) => effectKey), asked.map(({ nowMs }) => nowMs)],
      );
      const found = new Map(rows.map((row) => [keySchema.parse(row).effect_key, row]));
      return asked.map(({ effectKey }) => readEntry(effectKey, found.get(effectKey)));
    },
    READ_TOGETHER,
  );

  return {
    async renew(effectKey, fence, untilMs) {
      const { rowCount } = await link.ask(
        `update ${table} set lease_until_ms = $3 where effect_key = $1 and fence = $2 and state = 'sending'`,
        [effectKey, fence, untilMs],
      );
      return rowCount === 1;
    },
    read: (effectKey, nowMs) => read({ effectKey, nowMs }),
    async list({ states, limit, after, meetingId = null, keyPrefix = '' }) {
      if (limit < 1) return { entries: [] };
      // One look into the index for each state: sorted there, and no further than asked.
      const { rows } = await link.ask(
        `select e.* from unnest($1::text[]) as asked (state) cross join lateral (
           select * from ${table} as own
            where own.state = asked.state and (own.changed_at_ms, own.effect_key) < ($3::bigint, $4::text)
              and ($5::text is null or own.meeting_id = $5) and starts_with(own.effect_key, $6)
            order by own.changed_at_ms desc, own.effect_key desc limit $2
         ) as e
         order by e.changed_at_ms desc, e.effect_key desc limit $2`,
        [
          [...new Set(states)],
          limit,
          after?.changedAtMs ?? Number.MAX_SAFE_INTEGER,
          after?.effectKey ?? '',
          meetingId,
          keyPrefix,
        ],
      );
      const entries = rows.flatMap((row): readonly LedgerEntry[] => {
        const entry = readEntry(keySchema.parse(row).effect_key, row);
        return entry === undefined ? [] : [entry];
      });
      const last = entries.at(-1);
      return last === undefined || rows.length < limit ? { entries } : { entries, next: toPlace(last) };
    },
    async counts() {
      const { rows } = await link.ask(`select state, count(*) from ${table} group by state`);
      const counts = { ...noCounts };
      for (const { state, count } of countRowsSchema.parse(rows)) counts[state] = count;
      return counts;
    },
    async countChanges(states, edgesMs) {
      const { rows } = await link.ask(
        `select state, width_bucket(changed_at_ms, $2::bigint[]) as span, count(*) from ${table}
          where state = any ($1::text[]) and changed_at_ms >= $3::bigint and changed_at_ms < $4::bigint group by 1, 2`,
        [states, edgesMs, edgesMs[0] ?? 0, edgesMs.at(-1) ?? 0],
      );
      const counts = states.map(() => edgesMs.slice(1).map(() => 0));
      for (const { state, span, count } of spanRowsSchema.parse(rows)) {
        const own = counts[states.indexOf(state)];
        if (own !== undefined) own[span - 1] = count;
      }
      return counts;
    },
    reopen: (effectKey, nowMs) =>
      change(
        [effectKey, nowMs],
        ['failed', 'skipped', 'parked'],
        `state = case when e.state in ('parked', 'sending') then 'unknown' else 'pending' end, probes = 0,
         lease_until_ms = case when e.state in ('parked', 'sending') then $2::bigint else 0 end`,
      ),
    async resend(effectKey, nowMs) {
      const { rows } = await link.ask(
        `with found as (
           select effect_key, dedupe_key, sent_number, state from ${table} as e
            where effect_key = $1 and not ${isPast('e', '$2::bigint')} for update
         ), last as (
           select max(e.sent_number) as sent_number from ${table} as e join found using (dedupe_key) where e.state = 'sent'
         ), forgotten as (
           update ${table} as e set sent_number = null from found, last
            where e.dedupe_key = found.dedupe_key and e.effect_key <> found.effect_key
              and found.state = 'sent' and found.sent_number = last.sent_number
         ), changed as (
           update ${table} as e set state = 'unknown', changed_at_ms = $2::bigint, probes = 0, cause = '', reference = '',
               previous = '', sent_number = null, is_being_changed = false, lease_until_ms = $2::bigint
             from found where e.effect_key = found.effect_key and found.state = 'sent'
         )
         select state from found`,
        [effectKey, nowMs],
      );
      return stateRowsSchema.parse(rows)[0]?.state;
    },
    async markRecalled(effectKey, nowMs) {
      const { rows } = await link.ask(
        `with found as (
           select effect_key, state from ${table} as e
            where effect_key = $1 and not ${isPast('e', '$2::bigint')} for update
         ), changed as (
           update ${table} as e set changed_at_ms = $2::bigint, cause = $3
             from found where e.effect_key = found.effect_key and found.state = 'sent'
         )
         select state from found`,
        [effectKey, nowMs, RECALLED],
      );
      return stateRowsSchema.parse(rows)[0]?.state;
    },
    decide: (effectKey, verdict, nowMs, reason) =>
      change(
        [effectKey, nowMs],
        ['unknown', 'parked', 'failed'],
        verdict === 'sent'
          ? // What was to change a reference has changed it; else there is none.
            `state = 'sent', lease_until_ms = 0, reference = e.previous,
             sent_number = nextval('"${namespace}".ledger_sent_number')`
          : `state = '${DECIDED[verdict]}', lease_until_ms = 0, probes = 0`,
        verdict === 'dismissed' ? describeDismissal(reason) : '',
      ),
    async resolveHeld(effectKey, decision, nowMs, contentHash = ANY_CONTENT) {
      const isApproved = decision === 'approved';
      const { rows } = await link.ask(
        `with found as (select effect_key, state from ${table} where effect_key = $1 for update),
         approved as (
           insert into "${namespace}".ledger_approvals select effect_key, $2::bigint, $6 from found
            where state = 'held' and $3 on conflict (effect_key)
            do update set approved_at_ms = excluded.approved_at_ms, content_hash = excluded.content_hash
         ), changed as (
           update ${table} as e set changed_at_ms = $2::bigint, state = $4, cause = $5 from found
            where e.effect_key = found.effect_key and found.state = 'held'
         )
         select state from found`,
        [
          effectKey,
          nowMs,
          isApproved,
          isApproved ? 'pending' : 'skipped',
          isApproved ? '' : DISCARDED,
          contentHash,
        ],
      );
      return stateRowsSchema.parse(rows)[0]?.state;
    },
    async readApproval(effectKey) {
      const text = `select content_hash from "${namespace}".ledger_approvals where effect_key = $1`;
      return approvalsSchema.parse((await link.ask(text, [effectKey])).rows)[0]?.content_hash;
    },
    async sweep(nowMs) {
      // Rows that a claim holds are left to the next time.
      const text = `delete from ${table} where effect_key = any (array(
        select effect_key from ${table} where state = $2 and changed_at_ms <= $3 limit $1 for update skip locked))`;
      for (const [state, keptMs] of Object.entries(retentionMs))
        await link.sweep(text, [state, nowMs - keptMs]);
      const approvals = `delete from "${namespace}".ledger_approvals where effect_key = any (array(
        select effect_key from "${namespace}".ledger_approvals where approved_at_ms <= $2 limit $1))`;
      await link.sweep(approvals, [nowMs - APPROVAL_KEPT_MS]);
    },
  };
}

function toPlace({ changedAtMs, effectKey }: LedgerEntry): EntryPlace {
  return { changedAtMs, effectKey };
}

/** What the claim function takes; `at` is its place in the group, from 1. */
function toClaimRow({ effectKey, request }: ClaimItem, index: number) {
  const { nowMs, leaseMs, facts, dedupe } = request;
  return {
    at: index + 1,
    effect_key: effectKey,
    now_ms: nowMs,
    lease_ms: leaseMs,
    ...toDedupeColumns(dedupe),
    ...toFactColumns(facts),
  };
}

/** What the settle function takes; `at` is its place in the group, from 1. */
function toSettleRow({ effectKey, fence, settlement, request }: SettleItem, index: number) {
  const { nowMs, facts, dedupe } = request;
  return {
    at: index + 1,
    effect_key: effectKey,
    fence,
    now_ms: nowMs,
    state: settlement.state,
    reference: settlement.state === 'sent' ? settlement.reference : '',
    cause: 'cause' in settlement ? settlement.cause : '',
    is_probe_used: isProbeUsed(settlement),
    ...toDedupeColumns(dedupe),
    ...toFactColumns(facts),
  };
}

function toDedupeColumns(dedupe: DedupeKey | undefined) {
  return {
    dedupe_key: dedupe?.key ?? null,
    meeting_start: dedupe?.meetingStart ?? '',
    content_hash: dedupe?.contentHash ?? '',
  };
}

function toFactColumns(facts: EffectFacts) {
  return {
    occurred_at_ms: readOccurrenceMs(facts.occurrence),
    recipe: facts.recipe,
    destination: facts.destination,
    event_kind: facts.eventKind,
    meeting_id: facts.meetingId,
    occurrence: facts.occurrence,
    target_hash: facts.targetHash,
    part: facts.part,
    trace_id: facts.traceId,
    received_at_ms: facts.receivedAtMs,
  };
}
