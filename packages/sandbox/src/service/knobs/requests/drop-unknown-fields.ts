import { listOperations, type OperationId } from '@aftermeet/contract';

import type { WireRequest } from '../../play-operation.ts';
import { isObject } from '../shapes/json-value.ts';

/** The request without the fields that the operation does not know. */
export function dropUnknownFields(operation: OperationId, wire: WireRequest): WireRequest {
  const params = listOperations().find(({ id }) => id === operation)?.params;
  const { query, body, form } = wire;
  return {
    ...wire,
    query: isObject(query) ? pickKnown(query, params?.query) : query,
    body: isObject(body) ? pickKnown(body, params?.body) : body,
    form: form && { ...form, fields: pickKnown(form.fields, params?.form) },
  };
}

function pickKnown<T>(
  fields: Readonly<Record<string, T>>,
  schema: { readonly shape: object } | undefined,
): Readonly<Record<string, T>> {
  if (schema === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(schema.shape, name)));
}
