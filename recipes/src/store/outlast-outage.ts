import { setTimeout as pause } from 'node:timers/promises';

/** How long a step is tried anew: less than its callers wait, so that they hear why it failed. */
const outlastMs = 30_000;
const firstPauseMs = 100;
const longestPauseMs = 1000;

/**
 * Classes of errors that pass: the connection, the server is starting or stopping, no connection is left, a deadlock
 * or a conflict, a lock that took too long.
 */
const passingCodes = /^(?:08|53|57P|40)|^55P03$|^57014$/;

/**
 * Does a step on PostgreSQL again while the server is away, which Redis clients do by themselves. Only for steps that
 * can be done twice.
 */
export async function outlastOutage<Answer>(
  step: () => Promise<Answer>,
  isClosing: () => boolean,
): Promise<Answer> {
  const endMs = performance.now() + outlastMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await step();
    } catch (error) {
      if (!isPassing(error) || isClosing() || performance.now() + pauseMs > endMs) throw error;
      await pause(pauseMs);
    }
  }
}

/** An error of the server has a code of five characters; those of connections have another one, or none. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? passingCodes.test(code) : true;
}
