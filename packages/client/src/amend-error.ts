import { ServiceError, type ServiceErrorFacts } from './service-error.ts';

/** The same error with other words. */
export function amendError(
  error: ServiceError,
  changes: Pick<ServiceErrorFacts, 'detail' | 'retryable' | 'unsent'>,
): ServiceError {
  const { code, doing, status, retryAfterMs, retryable, unsent, cause } = error;
  return new ServiceError({
    code,
    doing,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    retryable,
    unsent,
    cause,
    ...changes,
  });
}
