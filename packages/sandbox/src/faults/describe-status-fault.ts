import type { StatusFault } from './fault.ts';

/** As the sandbox itself names them; which codes the service has is not shown. */
const codes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'PAYMENT_REQUIRED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'RATE_LIMITED'],
]);

/** The body of a fault in the observed shape of the service's errors. */
export function describeStatusFault({ status }: StatusFault): {
  readonly code: string;
  readonly message: string;
} {
  const code = codes.get(status) ?? (status >= 500 ? 'SERVER_ERROR' : 'INVALID_REQUEST');
  return { code, message: `A fault that was planned at /_sandbox/faults: ${String(status)}.` };
}
