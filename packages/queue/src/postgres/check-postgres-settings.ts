import type { Client } from 'pg';

import type { Log } from '../log.ts';

/** What each of them is for, when it is off. */
const needed: Readonly<Record<string, string>> = {
  fsync: 'may be damaged when its machine crashes',
  full_page_writes: 'may be damaged when its machine crashes',
  synchronous_commit: 'forgets the last accepted deliveries when it crashes',
};

/** Warns when a server that was given confirms what is not on the disk yet. */
export async function checkPostgresSettings(
  client: Pick<Client, 'query'>,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<void> {
  const { rows } = await client.query<{ setting: string }>(
    `select name as setting from pg_settings where name = any ($1) and setting = 'off' order by name`,
    [Object.keys(needed)],
  );
  for (const { setting } of rows) {
    log.warn({ store: name, found: 'off' }, `this PostgreSQL ${needed[setting]}: set ${setting} = on`);
  }
}
