import { z } from 'zod';

import { factRules } from '../notion/notion-fields.ts';

/** Options that the recipes for Notion share. */
export const dataSourceId = z
  .string({ error: 'the id of a data source' })
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the id of a data source' });

const propertyName = z.union([z.string().min(1).max(200), z.literal(false)], {
  error: 'the name of a property, or false to leave it out',
});

/** Which property each fact goes to. */
export function describeMapping(kind: keyof typeof factRules) {
  const rules = Object.entries(factRules[kind]);
  const facts = rules.map(([fact]) => fact).join(', ');
  const usual = rules.flatMap(([, { property }]) => (property === undefined ? [] : [property])).join(', ');
  return z
    .strictObject(Object.fromEntries(rules.map(([fact]) => [fact, propertyName.optional()])), {
      error: `names of properties by fact: ${facts}`,
    })
    .optional()
    .describe(
      `The names of the data source's properties by fact (${facts}); false leaves a fact out. What is named must be there and of a fitting type; of the others these are filled in where they are there: ${usual}.`,
    );
}

export const initialStatusOption = z.string({ error: 'the name of a status' }).min(1).max(100).optional();
