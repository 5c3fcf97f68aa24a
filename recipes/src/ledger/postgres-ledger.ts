import {
  createGroupedWriter,
  isPostgresDataError,
  type Log,
  type PostgresBackend,
  writeGroup,
} from '@aftermeet/queue';

import { groupSettings } from '../store/group-settings.ts';
import { openPostgresLink } from '../store/postgres-link.ts';
import { writeRows } from '../store/write-rows.ts';
import { readClaims, readSettled } from './ledger-answers.ts';
import { checkClaim, checkSettlement, type ClaimItem, type SettleItem } from './ledger-items.ts';
import { describeLedgerSchema } from './ledger-schema.ts';
import type { Claim, Ledger } from './ledger.ts';
import { claimFunctionName } from './postgres-claim-function.ts';
import { createPostgresRepairs } from './postgres-repairs.ts';
import { toClaimRow, toSettleRow } from './postgres-rows.ts';
import { settleFunctionName } from './postgres-settle-function.ts';

/** Two groups of claims, two of settlements, and one for everything else. */
const mostConnections = 5;

/**
 * Opens the ledger on PostgreSQL: a row for each effect, durable when it answers; what a subject was sent is read from
 * the rows of its effects. Makes its table and functions where they are missing.
 */
export async function openPostgresLedger(backend: PostgresBackend, log: Log): Promise<Ledger> {
  const { namespace } = backend;
  const objects = describeLedgerSchema(namespace);
  const link = await openPostgresLink(backend, { name: 'ledger', mostConnections, objects, log });

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
