import { withDeadline } from '@aftermeet/queue';

/**
 * Waits until something has ended, well or not, but no longer than `timeoutMs`. For closing: what does
 * not end is left behind.
 */
export async function endWithin(ending: Promise<unknown>, timeoutMs: number): Promise<void> {
  await withDeadline(ending, timeoutMs).catch(() => undefined);
}
