/** The service's use of HTTP statuses (specification, Errors). */
export const statuses = {
  200: 'success; data in the body',
  400: 'invalid request',
  401: 'not authorized; check the API key',
  404: 'resource does not exist',
  500: 'server error',
} as const;

/** Statuses that were observed beside them. */
export const observedStatuses = {
  201: 'created',
  202: 'the report is not ready yet; plain text',
  402: 'minutes used up',
  403: 'not part of the plan',
  409: 'already exists or already scheduled',
} as const;

/** A status that refuses a request, or says that the service failed. */
export type ErrorStatus = Exclude<keyof typeof statuses | keyof typeof observedStatuses, 200 | 201 | 202>;

/** Observed values of `code`; an open set. */
export const observedErrorCodes = ['TAG_NAME_EXISTS'] as const;
