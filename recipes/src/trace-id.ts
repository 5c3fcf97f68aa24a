import { createHash } from 'node:crypto';

/**
 * The trace id of everything that a delivery causes: 32 lowercase hex digits (W3C Trace Context, trace-id), made from
 * the id of its job, so that nothing has to be carried along or kept.
 */
export function deriveTraceId(jobId: string): string {
  return createHash('sha256').update(`trace ${jobId}`, 'utf8').digest('hex').slice(0, 32);
}
