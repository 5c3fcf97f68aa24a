import { listFields, type OperationField } from '../list-fields.ts';
import type { Operation } from '../operation.ts';
import { type Json, toJsonSchema } from './json-schema.ts';

/** The path and query fields of an operation as OpenAPI parameters. */
export function describeParameters(operation: Operation): readonly Json[] {
  return listFields(operation)
    .filter(({ place }) => place === 'path' || place === 'query')
    .map(describeParameter);
}

function describeParameter({ name, place, isRequired, schema: field }: OperationField): Json {
  const { description, 'x-observed': isObserved, ...schema } = toJsonSchema(field);
  return {
    name,
    in: place,
    required: isRequired,
    description,
    // A list is one comma-separated text on the wire, where OpenAPI's default repeats the parameter.
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    schema,
    ...(isObserved === true && { 'x-observed': true }),
  };
}
