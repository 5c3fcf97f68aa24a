import { ServiceError } from '../service-error.ts';

/** How a service may put it that it does not know a session any more; which it is, is not shown. */
const forgottenStatuses: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/** Whether the service may mean that it does not know the session. It may as well mean that the request is wrong. */
export function mayBeForgotten(error: unknown): error is ServiceError {
  return error instanceof ServiceError && forgottenStatuses.has(error.status ?? 0);
}
