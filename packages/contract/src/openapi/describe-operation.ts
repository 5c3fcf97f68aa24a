import { type ErrorStatus, observedStatuses, statuses } from '../error-codes.ts';
import { type AssumedError, listFields, type ListedField, type Operation } from '../operation.ts';
import { type AnswerBody, listAnswers, type OperationAnswer } from './answers.ts';
import { describeShape, type Json, pointTo } from './schemas.ts';

/** The path and query fields of an operation as OpenAPI parameters. */
export function describeParameters(operation: Operation): readonly Json[] {
  return listFields(operation)
    .filter(({ place }) => place === 'path' || place === 'query')
    .map(describeParameter);
}

function describeParameter(field: ListedField): Json {
  const { description, 'x-observed': isObserved, ...schema } = describeField(field);
  return {
    name: field.wire,
    in: field.place,
    required: field.required,
    description,
    // A list is one comma-separated text on the wire, where OpenAPI's default repeats the parameter.
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    schema,
    ...(isObserved === true && { 'x-observed': true }),
  };
}

/** The body of an operation's request, JSON or a form; undefined when it has none. */
export function describeRequestBody(operation: Operation): Json | undefined {
  const fields = listFields(operation);
  const body = fields.filter(({ place }) => place === 'body');
  const form = fields.filter(({ place }) => place === 'form');
  if (body.length > 0) {
    return describeContent('application/json', { schema: describeObject(body, describeJsonField) });
  }
  if (form.length > 0) {
    const schema = describeObject(form, describeField);
    return describeContent('multipart/form-data', { schema, encoding: describeEncoding(form) });
  }
  return undefined;
}

function describeContent(mediaType: string, content: Json): Json {
  return { required: true, content: { [mediaType]: content } };
}

function describeObject(fields: readonly ListedField[], describe: (field: ListedField) => Json): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.wire, describe(field)])),
    required: fields.filter(({ required: isRequired }) => isRequired).map(({ wire }) => wire),
    additionalProperties: false,
  };
}

/** As a caller writes it; our own marks have the names of extensions. */
function describeField({ rule, description, examples, observed, observedExamples }: ListedField): Json {
  return {
    ...rule.schema,
    description,
    ...(examples && { examples }),
    ...(observedExamples && { 'x-observed-values': observedExamples }),
    ...(observed && { 'x-observed': true }),
  };
}

/** In a body of JSON a list is comma-separated text. */
function describeJsonField(field: ListedField): Json {
  if (field.rule.type !== 'list of texts') return describeField(field);
  return { description: `${field.description}; comma-separated`, type: 'string' };
}

/** Files are bytes; every other part of a form is text by itself. */
function describeEncoding(form: readonly ListedField[]): Json {
  const files = form.flatMap(({ wire, rule }) => {
    const { contentMediaType: contentType } = rule.schema;
    return contentType === undefined ? [] : [[wire, { contentType }]];
  });
  return Object.fromEntries(files);
}

/** The shared answers that refuse a request, by the names they have in the document. */
const refusals: Readonly<Record<ErrorStatus, string>> = {
  400: 'InvalidRequest',
  401: 'NotAuthorized',
  402: 'MinutesUsedUp',
  403: 'NotInPlan',
  404: 'NotFound',
  409: 'Conflict',
  500: 'ServerError',
};

/** Every known answer of an operation, by status; refusals point to the shared ones. */
export function describeResponses(operation: Operation): Json {
  return Object.fromEntries([
    ...listAnswers(operation).map((answer) => [answer.status, describeAnswer(answer)]),
    ...operation.errors.map((status) => [status, { $ref: `#/components/responses/${refusals[status]}` }]),
    ...(operation.assumedErrors ?? []).map((error) => [error.status, describeAssumedError(error)]),
  ]);
}

/** The refusals that any operation may point to. */
export function describeRefusals(): Json {
  const meanings = { ...statuses, ...observedStatuses };
  const described = ([400, 401, 402, 403, 404, 409, 500] as const).map((status) => [
    refusals[status],
    {
      description: capitalise(meanings[status]),
      content: describeErrorContent(),
      ...(status in observedStatuses && { 'x-observed': true }),
    },
  ]);
  return Object.fromEntries(described);
}

/** Not one of the shared refusals: those say what was shown or observed. */
function describeAssumedError({ meaning }: AssumedError): Json {
  return { description: meaning, content: describeErrorContent(), 'x-assumed': true };
}

function describeErrorContent(): Json {
  return {
    'application/json': { schema: pointTo('Error') },
    'text/plain': { schema: { type: 'string' }, 'x-observed': true },
  };
}

function describeAnswer({ meaning, bodies, observed }: OperationAnswer): Json {
  return {
    description: meaning,
    content: Object.fromEntries(bodies.map((body) => [body.mediaType, describeBody(body)])),
    ...(observed && { 'x-observed': true }),
  };
}

function describeBody({ schema, observed }: AnswerBody): Json {
  return { ...(schema && { schema: describeShape(schema) }), ...(observed && { 'x-observed': true }) };
}

function capitalise(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`;
}
