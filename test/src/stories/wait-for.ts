import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until there is a value, for what happens in other processes. */
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
