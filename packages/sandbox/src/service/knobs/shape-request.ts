import type { OperationId } from '@aftermeet/contract';

import type { WireRequest } from '../play-operation.ts';
import { answerError, type ServiceAnswer } from '../service-answer.ts';
import type { Knobs } from './knobs.ts';
import { checkRecording } from './requests/check-recording.ts';
import { dropUnknownFields } from './requests/drop-unknown-fields.ts';
import { readSearchParameters } from './requests/read-search-parameters.ts';
import { isObject } from './shapes/json-value.ts';

/** The request as the sandbox reads it, or the refusal of a service that the knobs describe. With the defaults, the same as it was. */
export type ShapedRequest = { readonly wire: WireRequest } | { readonly answer: ServiceAnswer };

export function shapeRequest(operation: OperationId, wire: WireRequest, knobs: Knobs): ShapedRequest {
  const shaped = shapeOne(operation, wire, knobs);
  if ('answer' in shaped || knobs.unknownFields === 'refuse') return shaped;
  return { wire: dropUnknownFields(operation, shaped.wire) };
}

function shapeOne(operation: OperationId, wire: WireRequest, knobs: Knobs): ShapedRequest {
  if (operation === 'recordings.start') {
    const answer = checkRecording(wire.body, knobs);
    return answer === undefined ? { wire } : { answer };
  }
  if (operation === 'meetings.search') return shapeSearchRequest(wire, knobs);
  return {
    wire: operation === 'reports.editBlock' ? { ...wire, body: readBlockName(wire.body, knobs) } : wire,
  };
}

function shapeSearchRequest(wire: WireRequest, { searchParameters, unknownFields }: Knobs): ShapedRequest {
  const { query, unknown } = readSearchParameters(wire.query, searchParameters);
  const [first] = unknown;
  if (first === undefined || unknownFields === 'ignore') return { wire: { ...wire, query } };
  return {
    answer: answerError(400, 'INVALID_REQUEST', `${first} is not a field of meetings.search.`, first),
  };
}

/** An edit names a block as the report does. */
function readBlockName(body: unknown, { blockNames }: Knobs): unknown {
  if (!isObject(body)) return body;
  const known = Object.entries(blockNames).find(([, told]) => told === body['entityName']);
  return known === undefined ? body : { ...body, entityName: known[0] };
}
