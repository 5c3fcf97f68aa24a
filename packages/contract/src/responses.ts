import { z } from 'zod';

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
