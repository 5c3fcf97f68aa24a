import { defineFunction, type SchemaObject } from '@aftermeet/queue';

import { retentionMs, skipCauses, dedupeLookMs, dedupePatienceMs } from './ledger.ts';

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
        dedupe_key text collate "C",
        state text collate "C" not null,
        fence integer not null,
        attempts integer not null,
        probes integer not null,
        lease_until_ms bigint not null,
        first_intent_at_ms bigint not null,
        changed_at_ms bigint not null,
        meeting_start text not null,
        content_hash text not null,
        occurred_at_ms bigint not null,
        previous text not null default '',
        reference text not null default '',
        cause text not null default '',
        sent_number bigint,
        -- Another effect began to change what this one sent: what is there is not known until one has come through.
        is_being_changed boolean not null default false,
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
      name: 'ledger_approvals',
      sql: `create table "${namespace}".ledger_approvals (
        effect_key text collate "C" primary key,
        approved_at_ms bigint not null,
        content_hash text not null
      )`,
    },
    {
      // Goes with its table.
      name: 'ledger_sent_number',
      sql: `create sequence "${namespace}".ledger_sent_number owned by ${table}.sent_number`,
    },
    {
      name: 'ledger_effects_dedupe',
      sql: `create index ledger_effects_dedupe on ${table} (dedupe_key) where dedupe_key is not null`,
    },
    {
      // For lists, counts and the sweep. How long a row is kept follows from these two.
      name: 'ledger_effects_state',
      sql: `create index ledger_effects_state on ${table} (state, changed_at_ms, effect_key)`,
    },
    defineFunction(claimFunctionName, claimFunction(namespace)),
    defineFunction(settleFunctionName, settleFunction(namespace)),
  ];
}

/** It gets a number when its arguments or its meaning change, so that two releases can use one database. */
export const claimFunctionName = 'ledger_claim';

/**
 * SQL that makes the function that claims a group of effects in one transaction. It takes an array of what `toClaimRow`
 * makes, and answers with what `readClaims` reads, in the same order.
 *
 * A dedupe key is locked while one of its effects is claimed, so that of two effects one sees the other. all dedupe keys of
 * the group are locked before any row, and both in an order that is the same for everybody, so that two groups can't
 * wait for each other.
 */
function claimFunction(namespace: string): string {
  const table = `"${namespace}".ledger_effects`;
  // Plans are kept from the time when the table was small: then reading all of it looked cheap.
  return `
    create or replace function "${namespace}".${claimFunctionName}(p_claims json)
    returns json language plpgsql set enable_seqscan = off set lock_timeout = '5s' as $claim$
    declare
      v_lock bigint;
      v_asked record;
      v_row ${table};
      v_other ${table};
      v_sent ${table};
      v_is_there boolean;
      v_is_unsettled boolean;
      v_until_ms bigint;
      v_skipped text;
      v_answers json[] := '{}';
    begin
      for v_lock in
        select distinct hashtextextended(dedupe_key, 0) as dedupe
          from json_to_recordset(p_claims) as asked (dedupe_key text)
         where dedupe_key is not null order by dedupe
      loop
        perform pg_advisory_xact_lock(v_lock);
      end loop;

      for v_asked in
        select * from json_to_recordset(p_claims) as asked (
          at integer, effect_key text, now_ms bigint, lease_ms bigint, dedupe_key text, meeting_start text, content_hash text,
          occurred_at_ms bigint, recipe text, destination text, event_kind text, meeting_id text, occurrence text,
          target_hash text, part integer, trace_id text, received_at_ms bigint
        ) order by effect_key collate "C", at
      loop
        <<once_more>> loop
          select * into v_row from ${table} where effect_key = v_asked.effect_key for update;
          v_is_there := found;
          if v_is_there and ${isPast('v_row', 'v_asked.now_ms')} then
            delete from ${table} where effect_key = v_asked.effect_key;
            v_is_there := false;
          end if;

          v_is_unsettled := v_is_there and v_row.state in ('sending', 'unknown');
          if v_is_there and v_row.state in ('sent', 'skipped', 'failed', 'parked', 'held') then
            v_answers[v_asked.at] := json_build_array(v_row.state,
              case v_row.state when 'sent' then v_row.reference else v_row.cause end);
            exit once_more;
          elsif v_is_unsettled then
            if v_row.lease_until_ms > v_asked.now_ms then
              v_answers[v_asked.at] := json_build_array('busy', v_row.lease_until_ms);
              exit once_more;
            end if;
            update ${table} set state = 'sending', fence = fence + 1, attempts = attempts + 1, probes = probes + 1,
                lease_until_ms = v_asked.now_ms + v_asked.lease_ms, changed_at_ms = v_asked.now_ms, cause = ''
              where effect_key = v_asked.effect_key;
            v_answers[v_asked.at] := json_build_array('probe', v_row.fence + 1, v_row.first_intent_at_ms,
              v_row.probes + 1, v_row.previous);
            exit once_more;
          end if;

          v_skipped := '';
          v_row.previous := '';
          if v_asked.dedupe_key is not null then
            v_until_ms := null;
            v_sent := null;
            for v_other in
              select * from ${table} as e
               where dedupe_key = v_asked.dedupe_key and effect_key <> v_asked.effect_key
                 and (state in ('sending', 'unknown') or state = 'sent' and sent_number is not null) and not ${isPast('e', 'v_asked.now_ms')}
            loop
              if v_other.state = 'sent' then
                -- Without a number it counts no more: it was found to be gone.
                if v_sent.sent_number is null or v_sent.sent_number < v_other.sent_number then v_sent := v_other; end if;
              elsif v_other.lease_until_ms > v_asked.now_ms then
                v_until_ms := greatest(v_until_ms, v_other.lease_until_ms);
              elsif v_other.lease_until_ms + ${dedupePatienceMs} > v_asked.now_ms then
                v_until_ms := greatest(v_until_ms,
                  least(v_other.lease_until_ms + ${dedupePatienceMs}, v_asked.now_ms + ${dedupeLookMs}));
              end if;
            end loop;
            if v_until_ms is not null then
              v_answers[v_asked.at] := json_build_array('busy', v_until_ms);
              exit once_more;
            end if;
            if v_sent.effect_key is not null and (v_sent.meeting_start = v_asked.meeting_start or v_sent.meeting_start = '' or v_asked.meeting_start = '') then
              if v_sent.content_hash = v_asked.content_hash and not v_sent.is_being_changed then
                v_skipped := '${skipCauses.same}';
              elsif v_sent.meeting_start = v_asked.meeting_start and v_asked.meeting_start <> '' then
                if v_asked.occurred_at_ms > 0 and v_asked.occurred_at_ms < v_sent.occurred_at_ms then
                  v_skipped := '${skipCauses.older}';
                elsif v_sent.reference = '' then
                  v_skipped := '${skipCauses.unplaced}';
                else
                  v_row.previous := v_sent.reference;
                end if;
              end if;
            end if;
          end if;

          if v_is_there then
            update ${table} set
                state = case v_skipped when '' then 'sending' else 'skipped' end,
                fence = fence + (v_skipped = '')::integer,
                attempts = attempts + (v_skipped = '')::integer,
                lease_until_ms = case v_skipped when '' then v_asked.now_ms + v_asked.lease_ms else 0 end,
                changed_at_ms = v_asked.now_ms, cause = v_skipped, previous = v_row.previous,
                dedupe_key = coalesce(v_asked.dedupe_key, dedupe_key),
                meeting_start = case when v_asked.dedupe_key is null then meeting_start else v_asked.meeting_start end,
                content_hash = case when v_asked.dedupe_key is null then content_hash else v_asked.content_hash end
              where effect_key = v_asked.effect_key;
            v_row.fence := v_row.fence + 1;
          else
            v_row.fence := 1;
            insert into ${table} (
              effect_key, dedupe_key, state, fence, attempts, probes, lease_until_ms, first_intent_at_ms, changed_at_ms,
              meeting_start, content_hash, occurred_at_ms, previous, cause, recipe, destination, event_kind, meeting_id,
              occurrence, target_hash, part, trace_id, received_at_ms
            ) values (
              v_asked.effect_key, v_asked.dedupe_key, case v_skipped when '' then 'sending' else 'skipped' end,
              (v_skipped = '')::integer, (v_skipped = '')::integer, 0,
              case v_skipped when '' then v_asked.now_ms + v_asked.lease_ms else 0 end, v_asked.now_ms, v_asked.now_ms,
              v_asked.meeting_start, v_asked.content_hash, v_asked.occurred_at_ms, v_row.previous, v_skipped, v_asked.recipe,
              v_asked.destination, v_asked.event_kind, v_asked.meeting_id, v_asked.occurrence, v_asked.target_hash,
              v_asked.part, v_asked.trace_id, v_asked.received_at_ms
            ) on conflict (effect_key) do nothing;
            -- Somebody else has just made the row.
            continue once_more when not found;
          end if;
          if v_row.previous <> '' then
            update ${table} set is_being_changed = true where effect_key = v_sent.effect_key;
          end if;
          v_answers[v_asked.at] := case v_skipped
            when '' then json_build_array('claimed', v_row.fence, v_row.previous)
            else json_build_array('skipped', v_skipped) end;
          exit once_more;
        end loop;
      end loop;
      return array_to_json(v_answers);
    end
    $claim$`;
}

/** It gets a number when its arguments or its meaning change, so that two releases can use one database. */
export const settleFunctionName = 'ledger_settle';

/**
 * SQL that makes the function that settles a group of effects in one transaction. It takes an array of what
 * `toSettleRow` makes, and answers with 1 or 0 for each, in the same order. Rows are locked in the order of their keys.
 */
function settleFunction(namespace: string): string {
  const table = `"${namespace}".ledger_effects`;
  return `
    create or replace function "${namespace}".${settleFunctionName}(p_settlements json)
    returns json language plpgsql set enable_seqscan = off set lock_timeout = '5s' as $settle$
    declare
      v_asked record;
      v_row ${table};
      v_answers integer[] := '{}';
      v_answer integer;
    begin
      for v_asked in
        select * from json_to_recordset(p_settlements) as asked (
          at integer, effect_key text, fence integer, now_ms bigint, state text, reference text, cause text,
          is_probe_used boolean, dedupe_key text, meeting_start text, content_hash text, occurred_at_ms bigint, recipe text,
          destination text, event_kind text, meeting_id text, occurrence text, target_hash text, part integer,
          trace_id text, received_at_ms bigint
        ) order by effect_key collate "C", at
      loop
        update ${table} set
            state = v_asked.state, reference = v_asked.reference, cause = v_asked.cause,
            changed_at_ms = v_asked.now_ms,
            lease_until_ms = case when v_asked.state = 'pending' then 0 when v_asked.is_probe_used then lease_until_ms
              else v_asked.now_ms end,
            probes = case when v_asked.is_probe_used then probes else greatest(probes - 1, 0) end,
            dedupe_key = coalesce(v_asked.dedupe_key, dedupe_key),
            meeting_start = case when v_asked.dedupe_key is null then meeting_start else v_asked.meeting_start end,
            content_hash = case when v_asked.dedupe_key is null then content_hash else v_asked.content_hash end,
            sent_number = case v_asked.state when 'sent' then nextval('"${namespace}".ledger_sent_number') end
          where effect_key = v_asked.effect_key and fence = v_asked.fence and state = 'sending';
        v_answer := found::integer;
        if v_answer = 0 then
          select * into v_row from ${table} where effect_key = v_asked.effect_key for update;
          if found and not ${isPast('v_row', 'v_asked.now_ms')} then
            v_answer := (v_row.fence = v_asked.fence and v_row.state = v_asked.state
              and v_row.reference = v_asked.reference and v_row.cause = v_asked.cause)::integer;
          elsif v_asked.state not in ('pending', 'unknown') then
            -- The row is gone: the table was emptied meanwhile.
            delete from ${table} where effect_key = v_asked.effect_key;
            insert into ${table} (
              effect_key, dedupe_key, state, fence, attempts, probes, lease_until_ms, first_intent_at_ms, changed_at_ms,
              meeting_start, content_hash, occurred_at_ms, reference, cause, sent_number, recipe, destination, event_kind,
              meeting_id, occurrence, target_hash, part, trace_id, received_at_ms
            ) values (
              v_asked.effect_key, v_asked.dedupe_key, v_asked.state, v_asked.fence, 1, 0, 0, v_asked.now_ms,
              v_asked.now_ms, v_asked.meeting_start, v_asked.content_hash, v_asked.occurred_at_ms, v_asked.reference,
              v_asked.cause,
              case v_asked.state when 'sent' then nextval('"${namespace}".ledger_sent_number') end,
              v_asked.recipe, v_asked.destination, v_asked.event_kind, v_asked.meeting_id, v_asked.occurrence,
              v_asked.target_hash, v_asked.part, v_asked.trace_id, v_asked.received_at_ms
            ) on conflict (effect_key) do nothing;
            v_answer := found::integer;
          end if;
        end if;
        v_answers[v_asked.at] := v_answer;
      end loop;
      return array_to_json(v_answers);
    end
    $settle$`;
}

/** SQL for "this row is past its time, and counts as not there". */
export function isPast(row: string, nowMs: string): string {
  const kept = Object.entries(retentionMs).map(([state, forMs]) => `when '${state}' then ${forMs}`);
  return `(${row}.changed_at_ms <= ${nowMs} - case ${row}.state ${kept.join(' ')} end) is true`;
}
