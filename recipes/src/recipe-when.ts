import { z } from 'zod';

const oneOrMore = (what: string) =>
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: `${what}, or a list of them` });

/** The conditions a recipe can have. */
export const recipeWhenSchema = z.strictObject({
  event: oneOrMore('an event kind such as meeting.completed').exactOptional(),
  endpoint: oneOrMore('the name of an endpoint').exactOptional(),
  title: oneOrMore('a title pattern such as "*Sales*"').exactOptional(),
  isTranscriptEmpty: z.boolean({ error: 'true or false' }).exactOptional(),
});

export const recipeWhenKeys: readonly string[] = Object.keys(recipeWhenSchema.shape);
