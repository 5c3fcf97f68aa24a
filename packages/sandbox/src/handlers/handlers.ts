import {
  formatProblem,
  limits,
  listFields,
  operations,
  type Operation,
  type OperationId,
  type OperationInput,
  type ParamPlace,
  type Problem,
  readRequest,
  unknownName,
} from '@aftermeet/contract';
import { z } from 'zod';

import type { AppState } from '../app-state.ts';
import { answerError, type ServiceAnswer } from '../service-answer.ts';
import type { ReceivedFile, ReceivedForm } from '../uploads/receive-form.ts';
import { downloadExport } from './exports.ts';
import { searchMeetings } from './meetings.ts';
import { cancelRecording, getStatus, startRecording, stopRecording } from './recordings.ts';
import { editBlock, generateReport, getReport } from './reports.ts';
import { attachTag, createTag, detachTag, listTags } from './tags.ts';
import { listTemplates } from './templates.ts';
import { receiveChunk } from './uploads.ts';

/** A request as it came; `form` where the operation has one. */
export interface WireRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly form: ReceivedForm | undefined;
}

type Awaitable<T> = T | Promise<T>;

export interface Handler<Id extends string = string> {
  readonly operation: Operation & { readonly id: Id };
  readonly handle: (app: AppState, wire: WireRequest) => Awaitable<ServiceAnswer>;
}

/** The handler of each operation of the contract. A missing one, or one of another operation, does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  'recordings.start': toHandler(operations.recordings.start, startRecording),
  'recordings.status': toHandler(operations.recordings.status, getStatus),
  'recordings.stop': toHandler(operations.recordings.stop, stopRecording),
  'recordings.cancel': toHandler(operations.recordings.cancel, cancelRecording),
  'uploads.chunk': toFormHandler(operations.uploads.chunk, receiveChunk),
  'reports.get': toHandler(operations.reports.get, getReport),
  'reports.generate': toHandler(operations.reports.generate, generateReport),
  'reports.editBlock': toHandler(operations.reports.editBlock, editBlock),
  'templates.list': toHandler(operations.templates.list, listTemplates),
  'exports.download': toHandler(operations.exports.download, downloadExport),
  'meetings.search': toHandler(operations.meetings.search, searchMeetings),
  'tags.list': toHandler(operations.tags.list, listTags),
  'tags.create': toHandler(operations.tags.create, createTag),
  'tags.attach': toHandler(operations.tags.attach, attachTag),
  'tags.detach': toHandler(operations.tags.detach, detachTag),
};

/** The targets of a fault of a call, besides `any`: the id of an operation, or the MCP endpoint. */
export const callTargets: readonly string[] = [...Object.keys(handlers), 'mcp'];

const patterns = Object.values<Handler<OperationId>>(handlers).map(({ operation: { id, method, path } }) => ({
  id,
  method,
  // As Express matches a route: in any case, with or without a slash at its end.
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
}));

/** The operation of a request, valid or not. `path` is still percent-encoded. */
export function findOperationId(method: string, path: string): OperationId | undefined {
  return patterns.find((known) => known.method === method && known.pattern.test(path))?.id;
}

function toHandler<Op extends Operation>(
  operation: Op,
  handle: (app: AppState, input: OperationInput<Op>) => Awaitable<ServiceAnswer>,
) {
  return {
    operation,
    handle(app: AppState, { path, query, body }: WireRequest): Awaitable<ServiceAnswer> {
      const result = validateInput(operation, { path, query, body, form: undefined });
      return result.ok ? handle(app, result.input) : result.answer;
    },
  };
}

/** For an operation with a file part, whose bytes are on disk. */
function toFormHandler<Op extends Operation>(
  operation: Op,
  handle: (app: AppState, input: OperationInput<Op>, file: ReceivedFile) => Awaitable<ServiceAnswer>,
) {
  return {
    operation,
    handle(app: AppState, { path, query, body, form }: WireRequest): Awaitable<ServiceAnswer> {
      if (form === undefined) throw new TypeError(`${operation.id} was called without its form.`);
      const fields = { ...form.fields, file: makePlaceholder(form.file.bytes) };
      const result = validateInput(operation, { path, query, body, form: fields });
      return result.ok ? handle(app, result.input, form.file) : result.answer;
    },
  };
}

/**
 * Bytes for the schema of the contract in place of those on disk. Its rules know only whether there are none, some, or
 * more than a chunk may have; so many are made only for the last case, which is refused.
 */
function makePlaceholder(bytes: number): Uint8Array {
  return new Uint8Array(bytes > limits.uploadChunkBytes ? bytes : Math.min(bytes, 1));
}

type InputResult<Op extends Operation> =
  | { readonly ok: true; readonly input: OperationInput<Op> }
  | { readonly ok: false; readonly answer: ServiceAnswer };

/** Validates a request strictly with the rules of the contract, and converts it to the input of the operation. */
export function validateInput<Op extends Operation>(
  operation: Op,
  wire: Readonly<Record<ParamPlace, unknown>>,
): InputResult<Op> {
  const sent: Record<string, unknown> = {};
  for (const place of ['path', 'query', 'body', 'form'] as const) {
    if (operation.params[place] === undefined) continue;
    const fields = z.record(z.string(), z.unknown()).safeParse(wire[place]);
    if (!fields.success) return { ok: false, answer: refusePlace(place) };
    const known = listFields(operation).filter((field) => field.place === place);
    const stray = Object.keys(fields.data).find((name) => !known.some((field) => field.wire === name));
    if (stray !== undefined) {
      return { ok: false, answer: refuseFields(operation, [unknownName([stray], [])]) };
    }
    Object.assign(sent, fields.data);
  }
  const read = readRequest(operation, sent);
  return read.ok ? read : { ok: false, answer: refuseFields(operation, read.problems) };
}

function refusePlace(place: ParamPlace): ServiceAnswer {
  const expected =
    place === 'body' ? 'a JSON object sent with Content-Type: application/json' : `fields in the ${place}`;
  return answerError(400, 'INVALID_REQUEST', `The request must carry ${expected}.`);
}

function refuseFields(operation: Operation, [problem]: readonly Problem[]): ServiceAnswer {
  const field = (problem?.path ?? []).map(String).join('.');
  if (problem === undefined || problem.code === 'unknown') {
    return answerError(400, 'INVALID_REQUEST', `${field} is not a field of ${operation.id}.`, field);
  }
  return answerError(400, 'INVALID_REQUEST', formatProblem(problem, field), field);
}
