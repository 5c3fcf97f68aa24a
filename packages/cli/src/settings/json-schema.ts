import { type JsonSchema, listRecipeSchemas, toJsonSchema } from '@aftermeet/recipes';
import { z } from 'zod';

import { fileSchema } from './file.ts';
import { peopleSchema } from './people.ts';

const WHEN = { $ref: '#/definitions/when' };

/** Draft 7 ignores what stands beside a reference. */
const whenWith = (description: string): JsonSchema => ({ description, allOf: [WHEN] });

/**
 * The JSON Schema (draft 7) of `aftermeet.yaml`, for editors: made from the schemas that read the file. It knows names, types
 * and choices; what a text has to look like is left to `aftermeet recipes check`, because a text can be a `${VARIABLE}`.
 */
export function describeSettings(): JsonSchema {
  const { recipes, when, approve } = listRecipeSchemas();
  const file = toSchema(fileSchema);
  const recipe = {
    type: 'object',
    required: ['use'],
    properties: {
      use: {
        description: 'A recipe that comes with the toolkit, a file such as ./my-recipe.ts, or a package.',
        anyOf: [{ enum: recipes.map(({ id }) => id) }, { type: 'string' }],
      },
      when: whenWith('Which meetings it takes: all conditions must hold.'),
      with: { type: 'object', description: 'Its options.' },
      approve: { ...toLoose(approve), description: 'Who is asked to approve what it holds.' },
    },
    additionalProperties: false,
    allOf: recipes.map(({ id, description, options }) => ({
      if: { properties: { use: { const: id } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { with: { ...toLoose(options), description } } },
    })),
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...file,
    title: 'aftermeet.yaml',
    properties: {
      ...readObject(file['properties']),
      recipes: {
        type: 'object',
        description: 'What is done after a meeting, by name.',
        additionalProperties: recipe,
      },
      people: { ...toSchema(peopleSchema), description: 'Who people are, or { file: people.csv }.' },
    },
    definitions: {
      when: {
        ...toLoose(when),
        properties: {
          ...readObject(toLoose(when)['properties']),
          not: whenWith('What must not hold.'),
          anyOf: { type: 'array', minItems: 1, items: WHEN, description: 'One of these must hold.' },
        },
      },
    },
  };
}

function toSchema(schema: z.ZodType): JsonSchema {
  return toLoose(toJsonSchema(schema));
}

/** How a text looks: zod's patterns lose their flags, and none fits a `${VARIABLE}`. */
const keywordsOfText: ReadonlySet<string> = new Set(['pattern', 'format', 'minLength', 'maxLength']);

/** The schema without what it says of texts. A property can have such a name, so only texts lose them. */
function toLoose(schema: object): JsonSchema {
  const isText = 'type' in schema && schema.type === 'string';
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
      isText && keywordsOfText.has(key) ? [] : [[key, loosen(value)]],
    ),
  );
}

function loosen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loosen);
  return typeof value === 'object' && value !== null ? toLoose(value) : value;
}

function readObject(value: unknown): JsonSchema {
  return z.record(z.string(), z.unknown()).catch({}).parse(value);
}
