/** What a namespace holds that is not made once for each delivery. */
const skipped = new Set(['migration', 'meta', 'event', 'metrics', 'refusals']);

/** Adds `count` jobs, copies of the two that are there, with every row that belongs to them. */
export async function fillEmbedded({ client }, namespace, count) {
  await client.query('set synchronous_commit = off');
  const { rows: tables } = await client.query(
    `select schemaname as schema, tablename as name from pg_tables where schemaname in ($1, $2)`,
    [namespace, `${namespace}_queue`],
  );
  for (const { schema, name } of tables) {
    if (!skipped.has(name)) await copyRows(client, { schema, name }, count / 2);
  }
  await client.query('set synchronous_commit = on');
  // Else the server would do it by itself, beside a measurement.
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

async function copyRows(client, { schema, name }, times) {
  const table = `"${schema}"."${name}"`;
  const { rows } = await client.query(`select * from ${table} limit 1`);
  if (rows.length === 0) return;
  const { rows: columns } = await client.query(
    `select column_name as name, (is_identity = 'YES' or column_default like 'nextval%') as "isSerial"
     from information_schema.columns where table_schema = $1 and table_name = $2`,
    [schema, name],
  );
  const copied = columns
    .filter(({ isSerial }) => !isSerial)
    .map((column) => ({ name: `"${column.name}"`, from: copyOf(column.name, rows[0][column.name], schema) }));
  const identifier = copied.find(({ from }) => from.includes('copy::text'));
  await client.query(
    `insert into ${table} (${copied.map((column) => column.name).join(', ')})
     select ${copied.map(({ from }) => from).join(', ')}
     from (select * from ${table}) source, generate_series(1, ${times}) copy
     ${identifier === undefined ? '' : `order by ${identifier.from}`}`,
  );
}

/** An identifier becomes another one, the same for the same; a job needs its own place in the order. */
function copyOf(name, value, schema) {
  if (name === 'seq') return `nextval('"${schema}".job_seq')`;
  if (Buffer.isBuffer(value)) return `sha256(source."${name}" || copy::text::bytea)`;
  if (typeof value === 'string' && value.length < 512 && /[0-9a-f]{64}/.test(value)) {
    const old = `substring(source."${name}" from '[0-9a-f]{64}')`;
    return `replace(source."${name}", ${old}, md5(${old} || copy::text) || md5(copy::text || ${old}))`;
  }
  return `source."${name}"`;
}
