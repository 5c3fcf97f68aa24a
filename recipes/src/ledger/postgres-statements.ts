/** A name as SQL writes it. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What makes the ledger's table. Safe to run again, and by several processes at once. */
export function describeTable(namespace: string): readonly string[] {
  const schema = quoteName(namespace);
  return [
    // `if not exists` alone can collide with another process that is making the same; the lock queues them.
    `do $$ begin
  perform pg_advisory_xact_lock(hashtext('aftermeet ledger'));
  create schema if not exists ${schema};
  create table if not exists ${schema}.ledger (
    effect_key text primary key,
    state text not null,
    previous_state text not null,
    fence integer not null,
    lease_until_ms bigint not null,
    first_intent_at_ms bigint not null,
    probes integer not null,
    reference text,
    cause text,
    expires_at_ms bigint,
    recipe text not null,
    destination text not null,
    event_kind text not null,
    meeting_id text not null,
    occurrence text not null,
    target_hash text not null,
    part integer not null
  );
  create index if not exists ledger_expiry on ${schema}.ledger (expires_at_ms) where expires_at_ms is not null;
end $$`,
  ];
}

/** The ledger's steps as SQL, one statement each, so that each is atomic. Times are milliseconds. */
export function writeStatements(namespace: string) {
  const table = `${quoteName(namespace)}.ledger`;
  const isOver = 'known.expires_at_ms is not null and known.expires_at_ms <= $2::bigint';
  return {
    /** $1 effect key, $2 now */
    read: `select state, lease_until_ms::float8, reference, cause from ${table} as known
where effect_key = $1 and not coalesce(${isOver}, false)`,
    /** $1 effect key, $2 now, $3 lease until, $4 … $10 facts. No row when it cannot be claimed now. */
    claim: `insert into ${table} as known (effect_key, state, previous_state, fence, lease_until_ms,
  first_intent_at_ms, probes, recipe, destination, event_kind, meeting_id, occurrence,
  target_hash, part)
values ($1, 'sending', 'pending', 1, $3::bigint, $2::bigint, 0, $4, $5, $6, $7, $8, $9, $10)
on conflict (effect_key) do update set
  state = 'sending',
  previous_state = case when ${isOver} then 'pending' else known.state end,
  fence = known.fence + 1,
  lease_until_ms = $3::bigint,
  first_intent_at_ms = case when ${isOver} then $2::bigint else known.first_intent_at_ms end,
  probes = known.probes + case when known.state in ('sending', 'unknown') then 1 else 0 end,
  expires_at_ms = null
where known.state = 'pending'
  or (known.state in ('sending', 'unknown') and known.lease_until_ms <= $2::bigint)
  or (${isOver})
returning fence, previous_state, first_intent_at_ms::float8, probes`,
    /** $1 effect key, $2 fence, $3 lease until */
    renew: `update ${table} set lease_until_ms = $3::bigint
where effect_key = $1 and fence = $2 and state = 'sending'`,
    /** $1 effect key, $2 fence, $3 state, $4 reference, $5 cause, $6 expiry, $7 probes to give back */
    settle: `update ${table} set state = $3, reference = coalesce($4, reference),
  cause = coalesce($5, cause), expires_at_ms = $6::bigint,
  probes = greatest(probes - $7::integer, 0)
where effect_key = $1 and fence = $2 and state = 'sending'`,
    /** $1 now; a bounded bite, so that no sweep holds up the claims */
    sweep: `delete from ${table} where effect_key in
(select effect_key from ${table} where expires_at_ms <= $1::bigint limit 10000)`,
  };
}
