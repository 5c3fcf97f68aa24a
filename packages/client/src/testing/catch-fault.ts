import { ServiceError } from '../errors.ts';

/** The `ServiceError` of a promise that must reject with one. */
export async function catchFault(promise: Promise<unknown>): Promise<ServiceError> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw new Error('expected a ServiceError', { cause: error });
  }
  throw new Error('expected a ServiceError, got a value', { cause: outcome });
}
