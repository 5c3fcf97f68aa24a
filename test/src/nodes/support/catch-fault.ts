import { ServiceError } from '@aftermeet/client/pure';

/** The `ServiceError` that the work ends with. */
export async function catchFault(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a ServiceError, not ${String(error)}`);
}
