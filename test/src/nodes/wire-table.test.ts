import { listOperations, type Operation, operations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { WireOperation } from '../../../nodes/nodes/Aftermeet/wire/build-wire-request.ts';
import { wireOperations } from '../../../nodes/nodes/Aftermeet/wire/wire-operations.ts';
import { type ContractField, listContractFields } from './support/contract-fields.ts';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  boolean: 'boolean',
  integer: 'integer',
};

const factsSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  contentMediaType: z.string().optional(),
});

/** What the contract's schema says of a field, in the words of the node's table. */
function describeContractField({ name, place, required, schema }: ContractField): readonly [string, object] {
  const facts = factsSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  const kind = facts.contentMediaType === undefined ? kinds[facts.type ?? ''] : 'file';
  return [
    name,
    {
      place,
      required,
      kind,
      values: facts.enum,
      min: facts.minimum,
      max: facts.maximum === Number.MAX_SAFE_INTEGER ? undefined : facts.maximum,
    },
  ];
}

function describeContract(operation: Operation): object {
  const { id, method, path, repeatable } = operation;
  return { id, method, path, repeatable, fields: listContractFields(operation).map(describeContractField) };
}

/** The same of the node's table; `rule` is held against the schemas by field-rules.test.ts. */
function describeWire({ id, method, path, repeatable, fields }: WireOperation): object {
  return {
    id,
    method,
    path,
    repeatable,
    fields: Object.entries(fields).map(([name, { place, required, kind, values, min, max }]) => [
      name,
      { place, required, kind, values, min, max },
    ]),
  };
}

describe('the table of the n8n nodes', () => {
  it('has the operations of the contract, all of them and no other, in its order', () => {
    expect(Object.keys(wireOperations)).toStrictEqual(listOperations().map(({ id }) => id));
    const ids = Object.values(operations).flatMap((verbs) => Object.values(verbs).map(({ id }) => id));
    expect(Object.keys(wireOperations)).toStrictEqual(ids);
    expect(Object.keys(wireOperations)).toHaveLength(15);
  });

  it.each(listOperations().map((operation) => [operation.id, operation] as const))(
    'says of %s what the contract says: method, path, repeatable, and each field',
    (id, operation) => {
      const wire = Object.values(wireOperations).find((entry) => entry.id === id);
      expect(wire === undefined ? undefined : describeWire(wire)).toStrictEqual(describeContract(operation));
    },
  );

  it('knows the kind of every field of the contract', () => {
    const fields = listOperations().flatMap(listContractFields);
    expect(fields).toHaveLength(56);
    expect(
      fields
        .map(describeContractField)
        .filter(([, { kind }]: readonly [string, { kind?: string }]) => kind === undefined),
    ).toEqual([]);
  });

  // The comparison is only worth something when a difference is seen.
  it.each<[string, (operation: Operation) => object]>([
    [
      'a field more',
      (operation) => ({ params: { query: z.strictObject({ more: z.string() }) }, id: operation.id }),
    ],
    ['another method', () => ({ method: 'POST' })],
    ['another path', () => ({ path: '/api/other' })],
    ['another repeatability', ({ repeatable }) => ({ repeatable: !repeatable })],
    ['no fields', () => ({ params: {} })],
  ])('would notice %s', (_name, change) => {
    for (const operation of listOperations().filter(
      ({ method, params }) => method === 'GET' && params.query !== undefined,
    )) {
      const changed = { ...operation, ...change(operation) };
      expect(describeContract(changed)).not.toStrictEqual(describeContract(operation));
    }
  });
});
