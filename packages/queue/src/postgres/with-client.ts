import pg, { type Client, type ClientConfig } from 'pg';

/** Connects, does something with the connection, and ends it whatever came of it. */
export async function withClient(
  config: ClientConfig,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...config, query_timeout: 30_000 });
  client.on('error', () => undefined); // The query that runs rejects as well.
  try {
    await client.connect();
    await use(client);
  } finally {
    // A connection that never stood can't be ended politely.
    await client.end().catch(() => undefined);
  }
}
