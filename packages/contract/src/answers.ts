import type { z } from 'zod';

import type { AnswerBody, AssumedError, OperationAnswer } from './operation.ts';

/** The success of the specification: status 200. */
export function succeed(meaning: string, ...bodies: readonly AnswerBody[]): OperationAnswer {
  return { status: 200, meaning, bodies };
}

export function jsonBody(schema: z.ZodType): AnswerBody {
  return { mediaType: 'application/json', schema };
}

/** A body of which the specification says nothing, neither its kind nor its shape. */
export const bodyNotShown: AnswerBody = { mediaType: '*/*' };

/** JSON whose shape the specification does not show. */
export const jsonNotShown: AnswerBody = { mediaType: 'application/json' };

/** How a report is refused that does not exist yet, where the specification shows no way to say so. */
export const reportNotReady: AssumedError = {
  status: 409,
  meaning: 'There is no report yet: ask again later.',
};

/** The general statuses of the specification, and the observed one about plans: any operation may answer so. */
export const commonErrors = [400, 401, 403, 404, 500] as const;
