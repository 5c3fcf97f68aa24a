import { listOperations } from '@aftermeet/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  fieldRules,
  type WireField,
  type WireOperation,
} from '../../../nodes/nodes/Aftermeet/wire/build-wire-request.ts';
import { wireOperations } from '../../../nodes/nodes/Aftermeet/wire/wire-operations.ts';
import { listContractFields } from './support/contract-fields.ts';
import { edgeNumbers, fieldSamples, hostile } from './support/field-samples.ts';

const wire: Readonly<Record<string, WireOperation>> = wireOperations;

/** Every field of every operation: what the contract says of a value, and what the node says. */
const fields = listOperations().flatMap((operation) =>
  listContractFields(operation).map(({ name, schema }) => {
    const field = findField(operation.id, name);
    return {
      label: `${operation.id} ${name} (${field.rule})`,
      field,
      contract: (value: unknown) => schema.safeParse(value).success,
      node: (value: unknown) => fieldRules[field.rule].holds(value, field),
    };
  }),
);

function findField(id: string, name: string): WireField {
  const field = wire[id]?.fields[name];
  if (field === undefined) throw new Error(`The node's table lacks ${id} ${name}`);
  return field;
}

const samples = [
  ...hostile,
  ...edgeNumbers,
  ...Object.values(fieldSamples).flatMap(({ good, bad }) => [...good, ...bad]),
];

function describeSample(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value).slice(0, 80)
    : `${typeof value} ${fc.stringify(value).slice(0, 80)}`;
}

describe.each(fields)('$label', ({ field, contract, node }) => {
  it('takes and refuses each sample as the contract does', () => {
    const differ = samples.filter((sample) => contract(sample) !== node(sample));
    expect(differ.map(describeSample)).toEqual([]);
  });

  it('takes what it should and refuses what it should', () => {
    const { good, bad } = fieldSamples[field.rule];
    expect(good.filter((sample) => !node(sample)).map(describeSample)).toEqual([]);
    expect(bad.filter((sample) => node(sample)).map(describeSample)).toEqual([]);
  });
});

// One field of each rule and range: the rules are the same function for all of them.
const kinds = [
  ...new Map(
    fields.map((entry) => [`${entry.field.rule} ${entry.field.min} ${entry.field.max}`, entry]),
  ).values(),
];

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
);

/** Text that is nearly right: a sample with something put in, taken out or doubled. */
function nearly(good: readonly unknown[]): fc.Arbitrary<unknown> {
  const edit = (text: string): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.nat(text.length),
        fc.nat(2),
        fc.oneof(anyText, fc.constantFrom(' ', '\t', ',', '\n', '.', ':', '-', '0', '9', '@', '/', '%')),
      )
      .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
  return fc
    .constantFrom(...good.filter((value) => !(value instanceof Uint8Array)))
    .chain((value): fc.Arbitrary<unknown> => {
      if (typeof value === 'string') return edit(value.slice(0, 300));
      if (Array.isArray(value)) return fc.tuple(...value.map((item) => edit(String(item).slice(0, 300))));
      return fc.constant(value);
    });
}

describe.each(kinds)('the rule of $label', ({ field, contract, node }) => {
  it('agrees with the contract on whatever text, list and number there is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.array(anyText, { maxLength: 4 }),
          fc.double(),
          fc.integer(),
          fc.maxSafeInteger(),
          fc.anything({ withBigInt: true, withDate: true, withTypedArray: true }),
          ...(fieldSamples[field.rule].good.some((value) => !(value instanceof Uint8Array))
            ? [nearly(fieldSamples[field.rule].good)]
            : []),
        ),
        (value) => {
          // A field that may be left out takes undefined; what is undefined never reaches a rule.
          fc.pre(value !== undefined);
          expect(node(value)).toBe(contract(value));
        },
      ),
      { numRuns: 600 },
    );
  });
});

const dateField = kinds.filter(({ field }) => field.rule === 'date' || field.rule === 'planned start');

describe.each(dateField)('the days of $label', ({ field, contract, node }) => {
  it('are those of the calendar', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
    const year = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0'));
    const day = fc.oneof(
      fc.tuple(
        year,
        fc.constantFrom('00', '01', '02', '04', '12', '13'),
        fc.constantFrom('00', '01', '28', '29', '30', '31', '32'),
      ),
      fc.tuple(year, two, two),
    );
    fc.assert(
      fc.property(day, fc.tuple(two, two, two), ([y, m, d], [hour, minute, second]) => {
        const text = `${y}-${m}-${d}`;
        const value = field.rule === 'date' ? text : `${text}T${hour}:${minute}:${second}Z`;
        expect(node(value)).toBe(contract(value));
      }),
      { numRuns: 1500 },
    );
  });
});
