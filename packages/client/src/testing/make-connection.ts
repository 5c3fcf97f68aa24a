import type { Connection } from '../http.ts';
import { startTimeLimit } from '../retries.ts';
import { toServiceError } from '../service-fault.ts';

export const TEST_KEY = 'key_for_tests_only';

/** A connection in real time that repeats nothing. */
export function makeConnection(baseUrl: string, changes: Partial<Connection> = {}): Connection {
  return {
    baseUrl,
    apiKey: TEST_KEY,
    fetch,
    assertKeyAllowed: async () => {},
    timeoutMs: 5000,
    startTimeLimit,
    explainFault: toServiceError,
    headers: {},
    retries: 0,
    clock: Date.now,
    random: () => 1,
    wait: () => Promise.reject(new Error('nothing was to be waited for')),
    ...changes,
  };
}
