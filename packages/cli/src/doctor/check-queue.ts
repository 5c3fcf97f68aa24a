import { existsSync } from 'node:fs';

import {
  checkEmbeddedSupport,
  createInbox,
  describeError,
  openBackend,
  parseQueueUrl,
  silentLog,
  withDeadline,
} from '@aftermeet/queue';
import type { CheckResult } from '@aftermeet/recipes';

import { useParts } from '../use-parts.ts';

const name = 'queue';
/** A server that starts first. */
const EMBEDDED_WITHIN_MS = 60_000;

/** Opens the store and asks it something. An embedded one that is not there yet is not made for that. */
export async function checkQueue(
  queueUrl: string,
  complain: (text: string) => void,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  const address = parseQueueUrl(queueUrl);
  if (!address.ok) return [{ name, result: 'failed', found: address.problem, advice: 'Check QUEUE_URL.' }];
  if (address.kind === 'embedded') {
    const support = checkEmbeddedSupport();
    if (!support.ok) return [{ name, result: 'failed', found: support.problem }];
    if (!existsSync(address.directory)) {
      return [{ name, result: 'ok', found: `${address.name}: the first process that needs it makes it` }];
    }
  }
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message?: string) => warnings.push(message ?? '') };
  const withinMs = address.kind === 'embedded' ? EMBEDDED_WITHIN_MS : timeoutMs;
  try {
    await useParts(complain, async (keep) => {
      const opening = openBackend(queueUrl, { log, signal: AbortSignal.timeout(withinMs) });
      // One that opens too late is closed all the same.
      const backend = keep(await withDeadline(opening, withinMs).catch(closeLate(opening)));
      const inbox = keep(await createInbox(backend, { log }));
      await withDeadline(inbox.ping(), withinMs);
    });
  } catch (error) {
    const found = `${address.name}: ${describeError(error)}`;
    return [{ name, result: 'failed', found, advice: 'Does it run, and is QUEUE_URL right?' }];
  }
  return [
    { name, result: 'ok', found: `${address.name} answers` },
    ...[...new Set(warnings)].map((found): CheckResult => ({ name, result: 'warning', found })),
  ];
}

function closeLate(opening: Promise<{ close(): Promise<void> }>) {
  return (error: unknown): never => {
    void opening.then(
      (backend) => backend.close(),
      () => undefined,
    );
    throw error;
  };
}
