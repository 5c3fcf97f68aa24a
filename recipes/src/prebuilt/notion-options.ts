import { z } from 'zod';

import { factRules } from '../destinations/notion/properties.ts';

/** Options that the Notion recipes share. */
export const dataSourceOption = z
  .string({ error: 'the id of a data source' })
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'the id of a data source' });

export const initialStatusOption = z.string({ error: 'the name of a status' }).min(1).max(100).optional();

const propertyName = z.union([z.string().min(1).max(200), z.literal(false)], {
  error: 'the name of a property, or false to leave it out',
});

/** The option that names the property for each fact. */
export function mappingOption(kind: keyof typeof factRules) {
  const rules = Object.entries(factRules[kind]);
  const facts = rules.map(([fact]) => fact).join(', ');
  const defaults = rules.flatMap(([, { property }]) => (property === undefined ? [] : [property])).join(', ');
  return z
    .strictObject(
      Object.fromEntries(
        rules.map(([fact]) => [
          fact,
          propertyName.optional().describe(`The property for ${fact}; false leaves it out.`),
        ]),
      ),
      {
        error: `names of properties by fact: ${facts}`,
      },
    )
    .optional()
    .describe(
      `The names of the data source's properties by fact (${facts}); false leaves a fact out. A named property must exist and have a fitting type. Default: these properties, as far as they exist: ${defaults}.`,
    );
}
