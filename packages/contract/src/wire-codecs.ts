import { z } from 'zod';

import { mustBe } from './rule.ts';

/** A list for the caller, comma-separated text on the wire: the items' schema must refuse commas. */
export function csv(item: z.ZodType<string, string>, rule: string) {
  const list = z
    .array(item, { error: mustBe(rule) })
    .min(1, { error: mustBe(`${rule}, with at least one in it`) });
  return z.codec(list, z.string(), {
    decode: (items) => items.join(','),
    encode: (text) => text.split(',').map((part) => part.trim()),
  });
}

/** A boolean for the caller, `true` or `false` on the wire. */
export function booleanText() {
  return z.codec(z.boolean({ error: mustBe('true or false') }), z.enum(['true', 'false']), {
    decode: (value) => (value ? 'true' : 'false'),
    encode: (text) => text === 'true',
  });
}

/** A whole number for the caller, decimal digits on the wire. Without `max` it may be as large as a number can be exactly. */
export function integerText(
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  rule = max === Number.MAX_SAFE_INTEGER
    ? `a whole number of at least ${min}`
    : `a whole number from ${min} to ${max}`,
) {
  const error = mustBe(rule);
  const integer = z.int({ error }).min(min, { error }).max(max, { error });
  return z.codec(integer, z.string({ error }).regex(/^(0|[1-9][0-9]{0,15})$/, { error }), {
    decode: (value) => String(value),
    encode: (text) => Number(text),
  });
}
