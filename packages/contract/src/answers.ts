import * as z from 'zod';

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

/** A known text of an answer: absent, null or of another type counts as absent. */
export const optionalText = z.string().nullish().catch(undefined);

/** A known identifier of an answer; numbers become text. */
export const optionalId = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined);

export const optionalCount = z.number().nullish().catch(undefined);

/** A known object of an answer, all of whose fields are open. */
export const optionalObject = z.looseObject({}).nullish().catch(undefined);

/** A known list of an answer: an item that is not of the item's shape is left out, the others stay. */
export function optionalList<Item extends z.ZodType>(item: Item) {
  return z
    .array(item.optional().catch(undefined))
    .transform((items) => items.filter((entry) => entry !== undefined))
    .nullish()
    .catch(undefined);
}

/** An answer whose shape the specification does not show: whatever came, an empty body included. */
export const anything = z.unknown();

/** The observed JSON body of an error. Plain text occurs as well, so a reader must be ready for no match. */
export const errorBody = z.looseObject({ code: optionalText, message: optionalText, field: optionalText });

export type ErrorBody = z.output<typeof errorBody>;
