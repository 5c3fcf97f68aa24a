import { listFields, type OperationField } from '../list-fields.ts';
import type { Operation } from '../operation.ts';
import { type Json, toJsonSchema } from './json-schema.ts';

/** The body of an operation's request, JSON or a form; undefined when it has none. */
export function describeRequestBody(operation: Operation): Json | undefined {
  const fields = listFields(operation);
  const body = fields.filter(({ place }) => place === 'body');
  const form = fields.filter(({ place }) => place === 'form');
  if (body.length > 0) {
    return describeContent('application/json', { schema: describeObject(body, describeJsonField) });
  }
  if (form.length > 0) {
    const schema = describeObject(form, ({ schema: field }) => toJsonSchema(field));
    return describeContent('multipart/form-data', { schema, encoding: describeEncoding(form) });
  }
  return undefined;
}

function describeContent(mediaType: string, content: Json): Json {
  return { required: true, content: { [mediaType]: content } };
}

function describeObject(
  fields: readonly OperationField[],
  describeField: (field: OperationField) => Json,
): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, describeField(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** JSON carries numbers and booleans as they are, but lists as comma-separated text. */
function describeJsonField({ schema }: OperationField): Json {
  const wire = toJsonSchema(schema, 'wire');
  const isList = wire['type'] === 'string' && toJsonSchema(schema)['type'] === 'array';
  return isList ? { ...wire, description: `${String(wire['description'])}; comma-separated` } : wire;
}

/** Files are bytes; every other part of a form is text by itself. */
function describeEncoding(form: readonly OperationField[]): Json {
  const files = form.flatMap(({ name, schema }) => {
    const contentType = toJsonSchema(schema)['contentMediaType'];
    return contentType === undefined ? [] : [[name, { contentType }]];
  });
  return Object.fromEntries(files);
}
