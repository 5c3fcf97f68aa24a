import type { Operation, OperationInput, ParamPlace } from '@aftermeet/contract';
import { z } from 'zod';

import { answerError, type ServiceAnswer } from './service-answer.ts';

/** What a request carries in each place, unread. */
export type WireFields = Readonly<Record<ParamPlace, unknown>>;

export type InputReading<Op extends Operation> =
  | { readonly ok: true; readonly input: OperationInput<Op> }
  | { readonly ok: false; readonly answer: ServiceAnswer };

/** Reads a request strictly with the contract's own schemas, from the wire's form back to the caller's. */
export function readOperationInput<Op extends Operation>(operation: Op, wire: WireFields): InputReading<Op> {
  const input: Record<string, unknown> = {};
  for (const place of ['path', 'query', 'body', 'form'] as const) {
    const schema = operation.params[place];
    if (schema === undefined) continue;
    const fields = z.record(z.string(), z.unknown()).safeParse(wire[place]);
    if (!fields.success) return { ok: false, answer: refusePlace(place) };
    const reading = z.safeEncode(schema, { ...fields.data });
    if (!reading.success) return { ok: false, answer: refuseFields(operation, reading.error) };
    Object.assign(input, reading.data);
  }
  // Every place's schema has just let its fields through, and together they are the operation's input.
  return { ok: true, input: input as OperationInput<Op> };
}

function refusePlace(place: ParamPlace): ServiceAnswer {
  const expected =
    place === 'body' ? 'a JSON object sent with Content-Type: application/json' : `fields in the ${place}`;
  return answerError(400, 'INVALID_REQUEST', `The request must carry ${expected}.`);
}

function refuseFields(operation: Operation, error: z.ZodError): ServiceAnswer {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [field = ''] = issue.keys;
    return answerError(400, 'INVALID_REQUEST', `${field} is not a field of ${operation.id}.`, field);
  }
  const field = (issue?.path ?? []).map(String).join('.');
  return answerError(400, 'INVALID_REQUEST', `${field} ${issue?.message ?? 'is invalid'}`, field);
}
