import { describe, inject } from 'vitest';

import { nameMissingSuite } from './missing-suite.ts';
import { isFullRun } from './run-size.ts';
import type { TestServer } from './test-servers.ts';

export type StoreKind = 'redis' | 'postgres' | 'embedded';

/**
 * One suite, three stores: describes it once per kind. The embedded PostgreSQL beside a PostgreSQL is left to the full run.
 * A suite whose server is not there is skipped, and the last lines of the run say so.
 */
export function describeEachStore(
  title: string,
  suite: (kind: StoreKind) => void,
  kinds: readonly StoreKind[] = ['redis', 'postgres', 'embedded'],
  /** For suites that wait for other processes more than they compute: all kinds side by side. */
  { concurrent = false }: { readonly concurrent?: boolean } = {},
): void {
  for (const kind of isFullRun || !kinds.includes('postgres')
    ? kinds
    : kinds.filter((each) => each !== 'embedded')) {
    const server = findServer(kind);
    const isThere = server.kind === 'there';
    const name = isThere ? `${title} on ${kind}` : nameMissingSuite(`${title} on ${kind}`, server);
    describe.runIf(isThere)(name, { concurrent }, () => {
      suite(kind);
    });
  }
}

function findServer(kind: StoreKind): TestServer {
  const servers = inject('testServers');
  return kind === 'redis' ? servers.redis : servers.postgres;
}
