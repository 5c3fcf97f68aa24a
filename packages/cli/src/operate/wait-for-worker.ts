import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_OK, Failure, type FailureCode } from '../errors.ts';
import { isElsewhere } from './remote.ts';

const LOOK_MS = 500;

const acceptedSchema = z.object({ id: z.string() });

const deliverySchema = z.object({ state: z.string() });

/**
 * Looks at the delivery that a receiver has answered with `body`, here or on the receiver of `AFTERMEET_URL`, until a worker has
 * taken it.
 */
export async function waitForWorker(
  body: string,
  withinSeconds: number,
  context: CommandContext,
): Promise<{ readonly isTaken: boolean; readonly elapsedMs: number }> {
  const { clock = Date.now } = context;
  const startMs = clock();
  const config = context.configPath();
  const words = ['deliveries', 'show', readId(body), '--json'];
  const isHere = !isElsewhere(context.environment);
  const line = isHere && config !== undefined ? [...words, '--config', config] : words;
  for (;;) {
    let out = '';
    const code = await context.run(line, { ...context, write: (text) => void (out += text) });
    // Why has been said.
    if (code !== EXIT_OK) throw failed('failed', 'The delivery was accepted, and cannot be looked at.');
    const { state } = deliverySchema.parse(JSON.parse(out));
    const elapsedMs = clock() - startMs;
    if (state === 'completed') return { isTaken: true, elapsedMs };
    if (elapsedMs >= withinSeconds * 1000) return { isTaken: false, elapsedMs };
    await pause(LOOK_MS);
  }
}

function readId(body: string): string {
  try {
    return acceptedSchema.parse(JSON.parse(body)).id;
  } catch {
    throw failed(
      'unreadable',
      'The answer names no stored delivery, so nothing can be waited for. Check the address: it is that of a receiver.',
    );
  }
}

function failed(code: FailureCode, message: string): Failure {
  return new Failure({ exitCode: EXIT_FAILED, code, message });
}
