import { withRetries } from '@aftermeet/client/pure';

import { findCancelSignal, pauseFor } from './pause-for.ts';
import type { ServiceContext } from './service-context.ts';

/** As in the client: three more attempts, for what may be repeated. */
const RETRIES = 3;

export interface RepeatOptions {
  /** How often what may be repeated is; default as in the client. */
  readonly retries?: number;
  /** Waits between two attempts; default `pauseFor`. */
  readonly pause?: (ms: number) => Promise<void>;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number;
}

/** Makes an attempt, and again while its `ServiceError` says that this may help; ended with the execution. */
export async function repeatAttempt<T>(
  context: ServiceContext,
  attempt: () => Promise<T>,
  { retries = RETRIES, pause = pauseFor(context), random = Math.random }: RepeatOptions = {},
): Promise<T> {
  return await withRetries({ retries, random, wait: pause }, attempt, findCancelSignal(context));
}
