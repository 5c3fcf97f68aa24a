import { z } from 'zod';

import { notionTextSchema } from './notion-text.ts';

const option = z
  .object({
    id: z.string().optional(),
    name: z.string().min(1).max(100),
    color: z.string().default('default'),
  })
  .transform((value) => ({ ...value, id: value.id ?? value.name.toLowerCase() }));

const date = z.object({
  start: z.iso.date().or(z.iso.datetime({ offset: true, local: true })),
  end: z.iso
    .date()
    .or(z.iso.datetime({ offset: true, local: true }))
    .nullable()
    .default(null),
  time_zone: z.string().nullable().default(null),
});

const references = z.array(z.looseObject({})).max(100);

/** What a property of each type takes, and what it holds when a page leaves it out. */
const types = {
  title: { value: notionTextSchema, empty: [] },
  rich_text: { value: notionTextSchema, empty: [] },
  number: { value: z.number().nullable(), empty: null },
  select: { value: option.nullable(), empty: null },
  status: { value: option.nullable(), empty: null },
  multi_select: { value: z.array(option).max(100), empty: [] },
  date: { value: date.nullable(), empty: null },
  checkbox: { value: z.boolean(), empty: false },
  url: { value: z.string().max(2000).nullable(), empty: null },
  email: { value: z.string().max(200).nullable(), empty: null },
  phone_number: { value: z.string().max(200).nullable(), empty: null },
  people: { value: references, empty: [] },
  relation: { value: references, empty: [] },
  files: { value: references, empty: [] },
} as const satisfies Readonly<Record<string, { readonly value: z.ZodType; readonly empty: unknown }>>;

export type PropertyType = keyof typeof types;

export const propertyTypeSchema = z.custom<PropertyType>(
  (value) => typeof value === 'string' && Object.hasOwn(types, value),
);

/** Reads the value that a request gives to a property of this type. */
export function readPropertyValue(type: PropertyType, value: unknown): z.ZodSafeParseResult<unknown> {
  return types[type].value.safeParse(value);
}

/** The value of a property that nobody set. */
export function emptyPropertyValue(type: PropertyType): unknown {
  return types[type].empty;
}
