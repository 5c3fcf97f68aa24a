import type { PostgresBackend } from '@aftermeet/queue';
import { Pool } from 'pg';
import { z } from 'zod';

import { endWithin } from './end-within.ts';
import {
  type Claim,
  type EndState,
  isProbeUsed,
  type Ledger,
  retentionMs,
  type Settlement,
} from './ledger.ts';
import { describeTable, writeStatements } from './postgres-statements.ts';

const claimedSchema = z.object({
  fence: z.number(),
  previous_state: z.string(),
  first_intent_at_ms: z.number(),
  probes: z.number(),
});
const knownSchema = z.object({
  state: z.string(),
  lease_until_ms: z.number(),
  reference: z.string().nullable(),
  cause: z.string().nullable(),
});

const closeWithinMs = 3000;

/** Each step is one short statement, so a few connections serve many effects. */
const mostConnections = 4;

/**
 * Opens the ledger on PostgreSQL: one row for each effect, each step one statement, durable when it
 * answers. Makes its table when it is not there.
 */
export async function openPostgresLedger(
  backend: PostgresBackend,
  onIdleError: (error: Error) => void,
): Promise<Ledger> {
  const pool = new Pool({ ...backend.poolConfig('work'), max: mostConnections });
  // Without a listener the error of an idle connection would end the process.
  pool.on('error', onIdleError);
  const statements = writeStatements(backend.namespace);
  try {
    for (const statement of describeTable(backend.namespace)) await pool.query(statement);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const readKnown = async (effectKey: string, nowMs: number) =>
    z.array(knownSchema).parse((await pool.query(statements.read, [effectKey, nowMs])).rows)[0];
  return {
    async read(effectKey, nowMs) {
      const known = await readKnown(effectKey, nowMs);
      return known === undefined ? undefined : readEnd(known);
    },
    async claim(effectKey, { nowMs, leaseMs, facts }): Promise<Claim> {
      const { recipe, destination, eventKind, meetingId, occurrence, targetHash, part } = facts;
      const values = [recipe, destination, eventKind, meetingId, occurrence, targetHash, part];
      const answer = await pool.query(statements.claim, [effectKey, nowMs, nowMs + leaseMs, ...values]);
      const claimed = z.array(claimedSchema).parse(answer.rows)[0];
      if (claimed !== undefined) return readClaimed(claimed);
      const known = await readKnown(effectKey, nowMs);
      const end = known === undefined ? undefined : readEnd(known);
      // Between the two statements it may have been settled as not sent: then now is not too early.
      return end ?? { state: 'busy', untilMs: Math.max(known?.lease_until_ms ?? nowMs, nowMs) };
    },
    async renew(effectKey, fence, untilMs) {
      return (await pool.query(statements.renew, [effectKey, fence, untilMs])).rowCount === 1;
    },
    async settle(effectKey, fence, settlement, nowMs) {
      const reference = settlement.state === 'sent' ? settlement.reference : null;
      const cause = 'cause' in settlement ? settlement.cause : null;
      const outcome = [settlement.state, reference, cause, expiryMs(settlement, nowMs)];
      const values = [effectKey, fence, ...outcome, isProbeUsed(settlement) ? 0 : 1];
      return (await pool.query(statements.settle, values)).rowCount === 1;
    },
    // What PostgreSQL has confirmed it does not forget, so a missing row means "never tried".
    rest: async () => {},
    async sweep(nowMs) {
      await pool.query(statements.sweep, [nowMs]);
    },
    async close() {
      // A server that does not answer is not waited for.
      await endWithin(pool.end(), closeWithinMs);
    },
  };
}

function readClaimed(row: z.output<typeof claimedSchema>): Claim {
  const { fence, previous_state: previous, first_intent_at_ms: firstIntentAtMs, probes } = row;
  const isUnsettled = previous === 'sending' || previous === 'unknown';
  return isUnsettled ? { state: 'probe', fence, firstIntentAtMs, probes } : { state: 'claimed', fence };
}

function readEnd(row: z.output<typeof knownSchema>): EndState | undefined {
  if (row.state === 'sent') return { state: 'sent', reference: row.reference ?? '' };
  return row.state === 'failed' ? { state: 'failed', cause: row.cause ?? '' } : undefined;
}

function expiryMs(settlement: Settlement, nowMs: number): number | null {
  return settlement.state === 'unknown' ? null : nowMs + retentionMs[settlement.state];
}
