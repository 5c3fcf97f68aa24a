import { z } from 'zod';

import type { PostgresLink } from '../store/postgres-link.ts';
import { effectStateSchema, noCounts } from './effect-states.ts';
import type { EffectState, EntryPlace, Ledger, LedgerEntry } from './ledger.ts';
import { isPast } from './postgres-expiry.ts';
import { readEntry } from './read-entry.ts';
import { retentionMs } from './retention.ts';

const stateRowsSchema = z.array(z.object({ state: effectStateSchema }));
const countRowsSchema = z.array(z.object({ state: effectStateSchema, count: z.coerce.number() }));
const keySchema = z.object({ effect_key: z.string() });

/** Everything but claims and settlements: single statements that no hot path takes. */
export function createPostgresRepairs(
  link: PostgresLink,
  namespace: string,
): Pick<Ledger, 'renew' | 'read' | 'list' | 'counts' | 'reopen' | 'decide' | 'sweep'> {
  const table = `"${namespace}".ledger_effects`;

  /**
   * Changes a row that is in one of the states, and answers with the state that it had in any case. One that is
   * sending counts as unknown once its lease is over.
   */
  async function change(
    [effectKey, nowMs]: readonly [string, number],
    states: readonly EffectState[],
    set: string,
  ): Promise<EffectState | undefined> {
    const { rows } = await link.ask(
      `with found as (
         select effect_key, case when state = 'sending' and lease_until_ms <= $2::bigint then 'unknown' else state end as state
           from ${table} as e
          where effect_key = $1 and not ${isPast('e', '$2::bigint')} for update
       ), changed as (
         update ${table} as e set changed_at_ms = $2::bigint, cause = '', ${set} from found
          where e.effect_key = found.effect_key and (found.state = any ($3) or found.state <> e.state)
       )
       select state from found`,
      [effectKey, nowMs, states],
    );
    return stateRowsSchema.parse(rows)[0]?.state;
  }

  return {
    async renew(effectKey, fence, untilMs) {
      const { rowCount } = await link.ask(
        `update ${table} set lease_until_ms = $3 where effect_key = $1 and fence = $2 and state = 'sending'`,
        [effectKey, fence, untilMs],
      );
      return rowCount === 1;
    },
    async read(effectKey, nowMs) {
      const { rows } = await link.ask(
        `select * from ${table} as e where effect_key = $1 and not ${isPast('e', '$2::bigint')}`,
        [effectKey, nowMs],
      );
      return readEntry(effectKey, rows[0]);
    },
    async list({ states, limit, after }) {
      if (limit < 1) return { entries: [] };
      // One look into the index for each state: sorted there, and no further than asked.
      const { rows } = await link.ask(
        `select e.* from unnest($1::text[]) as asked (state) cross join lateral (
           select * from ${table} as own
            where own.state = asked.state and (own.changed_at_ms, own.effect_key) < ($3::bigint, $4::text)
            order by own.changed_at_ms desc, own.effect_key desc limit $2
         ) as e
         order by e.changed_at_ms desc, e.effect_key desc limit $2`,
        [[...new Set(states)], limit, after?.changedAtMs ?? Number.MAX_SAFE_INTEGER, after?.effectKey ?? ''],
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
    reopen: (effectKey, nowMs) =>
      change(
        [effectKey, nowMs],
        ['failed', 'skipped', 'parked'],
        `state = case when e.state in ('parked', 'sending') then 'unknown' else 'pending' end, probes = 0,
         lease_until_ms = case when e.state in ('parked', 'sending') then $2::bigint else 0 end`,
      ),
    decide: (effectKey, verdict, nowMs) =>
      change(
        [effectKey, nowMs],
        ['unknown', 'parked', 'failed'],
        verdict === 'sent'
          ? // What was to change a reference has changed it; else there is none.
            `state = 'sent', lease_until_ms = 0, reference = e.previous,
             sent_number = nextval('"${namespace}".ledger_sent_number')`
          : `state = 'pending', lease_until_ms = 0, probes = 0`,
      ),
    async sweep(nowMs) {
      // Rows that a claim holds are left to the next time.
      const text = `delete from ${table} where effect_key = any (array(
        select effect_key from ${table} where state = $2 and changed_at_ms <= $3 limit $1 for update skip locked))`;
      for (const [state, keptMs] of Object.entries(retentionMs))
        await link.sweep(text, [state, nowMs - keptMs]);
    },
  };
}

function toPlace({ changedAtMs, effectKey }: LedgerEntry): EntryPlace {
  return { changedAtMs, effectKey };
}
