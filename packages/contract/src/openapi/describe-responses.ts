import { type ErrorStatus, observedStatuses, statuses } from '../error-codes.ts';
import type { AnswerBody, AssumedError, Operation, OperationAnswer } from '../operation.ts';
import { describeShape, pointTo } from './component-schemas.ts';
import type { Json } from './json-schema.ts';

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
    ...operation.answers.map((answer) => [answer.status, describeAnswer(answer)]),
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
