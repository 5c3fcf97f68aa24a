import { describeFunction, type SchemaObject } from '../store/prepare-objects.ts';
import { claimFunction, claimFunctionName } from './postgres-claim-function.ts';
import { settleFunction, settleFunctionName } from './postgres-settle-function.ts';

/** The table, the indexes and the functions of the ledger, in the order in which they are made. */
export function describeLedgerSchema(namespace: string): readonly SchemaObject[] {
  const table = `"${namespace}".ledger_effects`;
  return [
    {
      name: 'ledger_effects',
      // A row is mostly changed once, soon after it was made: the room keeps both versions in one page. State and
      // time are indexed, so a change writes its index entries all the same.
      sql: `create table ${table} (
        effect_key text collate "C" primary key,
        subject_key text collate "C",
        state text collate "C" not null,
        fence integer not null,
        attempts integer not null,
        probes integer not null,
        lease_until_ms bigint not null,
        first_intent_at_ms bigint not null,
        changed_at_ms bigint not null,
        edition text not null,
        content_hash text not null,
        occurred_at_ms bigint not null,
        previous text not null default '',
        reference text not null default '',
        cause text not null default '',
        sent_number bigint,
        recipe text not null,
        destination text not null,
        event_kind text not null,
        meeting_id text not null,
        occurrence text not null,
        target_hash text not null,
        part integer not null,
        trace_id text not null,
        received_at_ms bigint not null
      ) with (fillfactor = 70)`,
    },
    {
      // Goes with its table.
      name: 'ledger_sent_number',
      sql: `create sequence "${namespace}".ledger_sent_number owned by ${table}.sent_number`,
    },
    {
      name: 'ledger_effects_subject',
      sql: `create index ledger_effects_subject on ${table} (subject_key) where subject_key is not null`,
    },
    {
      // For lists, counts and the sweep. How long a row is kept follows from these two.
      name: 'ledger_effects_state',
      sql: `create index ledger_effects_state on ${table} (state, changed_at_ms, effect_key)`,
    },
    describeFunction(claimFunctionName, claimFunction(namespace)),
    describeFunction(settleFunctionName, settleFunction(namespace)),
  ];
}
