import { isPast } from './postgres-expiry.ts';

/** The number goes up when its arguments or its meaning change, so that two releases can use one database. */
export const settleFunctionName = 'ledger_settle_1';

/**
 * SQL that makes the function that settles a group of effects in one transaction. It takes an array of what
 * `toSettleRow` makes, and answers with 1 or 0 for each, in the same order. Rows are locked in the order of their keys.
 */
export function settleFunction(namespace: string): string {
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
          is_probe_used boolean, subject_key text, edition text, content_hash text, occurred_at_ms bigint, recipe text,
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
            subject_key = coalesce(v_asked.subject_key, subject_key),
            edition = case when v_asked.subject_key is null then edition else v_asked.edition end,
            content_hash = case when v_asked.subject_key is null then content_hash else v_asked.content_hash end,
            sent_number = case v_asked.state when 'sent' then nextval('"${namespace}".ledger_sent_number') end
          where effect_key = v_asked.effect_key and fence = v_asked.fence and state = 'sending';
        v_answer := found::integer;
        if v_answer = 0 then
          select * into v_row from ${table} where effect_key = v_asked.effect_key for update;
          if found and not ${isPast('v_row', 'v_asked.now_ms')} then
            v_answer := (v_row.fence = v_asked.fence and v_row.state = v_asked.state
              and v_row.reference = v_asked.reference and v_row.cause = v_asked.cause)::integer;
          elsif v_asked.state not in ('pending', 'unknown') then
            -- The row is gone: somebody emptied the table meanwhile.
            delete from ${table} where effect_key = v_asked.effect_key;
            insert into ${table} (
              effect_key, subject_key, state, fence, attempts, probes, lease_until_ms, first_intent_at_ms, changed_at_ms,
              edition, content_hash, occurred_at_ms, reference, cause, sent_number, recipe, destination, event_kind,
              meeting_id, occurrence, target_hash, part, trace_id, received_at_ms
            ) values (
              v_asked.effect_key, v_asked.subject_key, v_asked.state, v_asked.fence, 1, 0, 0, v_asked.now_ms,
              v_asked.now_ms, v_asked.edition, v_asked.content_hash, v_asked.occurred_at_ms, v_asked.reference,
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
