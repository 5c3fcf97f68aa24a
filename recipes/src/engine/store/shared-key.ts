import { randomBytes } from 'node:crypto';

import { z } from 'zod';

import { changeRecord, type SharedStore } from './shared-store.ts';

const KEPT_MS = 10 * 365 * 24 * 60 * 60 * 1000;
const keySchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A key of an installation that its store keeps, 64 hex digits; made when it is not there. */
export async function openSharedKey(
  store: Pick<SharedStore, 'swap' | 'read'>,
  name: 'approval-key' | 'unsubscribe-key',
  nowMs: number,
): Promise<string> {
  const known = await store.read(name);
  const fresh = randomBytes(32).toString('hex');
  const { answer } = await changeRecord(
    store,
    { name, schema: keySchema, keepMs: KEPT_MS, known },
    (key) => (key === undefined ? { answer: fresh, next: fresh } : { answer: key }),
    nowMs,
  );
  return answer;
}
