import type { z } from 'zod';

import type { Aimed } from './fault-plan.ts';
import { sayFaultIssue } from './fault-words.ts';

/** What is wrong with an order, and what would be right. */
export interface FaultRefusal {
  readonly refusal: string;
}

/** Reads a fault strictly; one that could never hit anything is refused too. */
export function readFaultOrder<Fault extends Aimed>(
  body: unknown,
  schema: z.ZodType<Fault>,
  kinds: readonly string[],
  targets: readonly string[] | undefined,
): { readonly fault: Fault } | FaultRefusal {
  const kind = readKind(body);
  if (kind === undefined || !kinds.includes(kind)) return refuseKind(kinds);
  const reading = schema.safeParse(body, { error: sayFaultIssue });
  if (!reading.success) {
    const [issue] = reading.error.issues;
    const field = issue === undefined || issue.path.length === 0 ? kind : `${issue.path.join('.')}:`;
    return { refusal: `${field} ${issue?.message ?? 'is invalid'}.` };
  }
  const { on } = reading.data;
  if (targets === undefined || on === 'any' || targets.includes(on)) return { fault: reading.data };
  return { refusal: `on: ${kind} can happen on any, ${targets.join(', ')}.` };
}

export function readKind(body: unknown): string | undefined {
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : undefined;
  return typeof kind === 'string' ? kind : undefined;
}

export function refuseKind(kinds: readonly string[]): FaultRefusal {
  return { refusal: `kind: must be one of ${kinds.join(', ')}.` };
}
