import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until there is an answer: other processes cannot be told to hurry. */
export async function waitFor<Value>(
  what: string,
  ask: () => Value | undefined | Promise<Value | undefined>,
  withinMs: number,
): Promise<Value> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    const value = await ask();
    if (value !== undefined) return value;
    await sleep(25);
  }
  throw new Error(`${what} did not happen within ${withinMs} ms`);
}
