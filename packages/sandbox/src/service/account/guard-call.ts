import type { OperationId } from '@aftermeet/contract';

import type { SandboxWorld } from '../sandbox-world.ts';
import { answerError, type ServiceAnswer } from '../service-answer.ts';
import { refuseKey, refusePlan } from './refuse-call.ts';

type GuardWorld = Pick<SandboxWorld, 'account' | 'clock' | 'knobs'>;

/** The refusal of a call before anybody looks what it says: by its key, by how many there were, by the plan, and when the interface has ended. `operation` is undefined for a path that none has. */
export function guardCall(
  { account, clock, knobs }: GuardWorld,
  apiKey: string | undefined,
  operation: OperationId | undefined,
): ServiceAnswer | undefined {
  const keyRefusal = refuseKey(account.judgeKey(apiKey), apiKey);
  if (keyRefusal !== undefined) return keyRefusal;
  const waitSeconds = account.countCall();
  if (waitSeconds !== undefined) return refuseRate(waitSeconds);
  const sunset = knobs.read().deprecation?.sunset;
  if (sunset !== undefined && clock.now() >= Date.parse(sunset)) {
    return answerError(410, 'GONE', 'This version of the interface has ended.');
  }
  return operation === undefined ? undefined : refusePlan(account.plan(), operation);
}

function refuseRate(waitSeconds: number): ServiceAnswer {
  const message = `Too many requests: wait ${String(waitSeconds)} s.`;
  return { ...answerError(429, 'RATE_LIMITED', message), headers: { 'Retry-After': String(waitSeconds) } };
}
