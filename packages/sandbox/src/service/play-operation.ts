import { operations, type Operation, type OperationId, type OperationInput } from '@aftermeet/contract';

import { attachTag, detachTag } from './operations/assign-tag.ts';
import { cancelRecording } from './operations/cancel-recording.ts';
import { createTag } from './operations/create-tag.ts';
import { downloadExport } from './operations/download-export.ts';
import { editBlock } from './operations/edit-block.ts';
import { generateReport } from './operations/generate-report.ts';
import { getReport } from './operations/get-report.ts';
import { listTags } from './operations/list-tags.ts';
import { listTemplates } from './operations/list-templates.ts';
import { readStatus } from './operations/read-status.ts';
import { readStatuses } from './operations/read-statuses.ts';
import { searchMeetings } from './operations/search-meetings.ts';
import { startRecording } from './operations/start-recording.ts';
import { stopRecording } from './operations/stop-recording.ts';
import { takeChunk } from './operations/take-chunk.ts';
import { readOperationInput } from './read-operation-input.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import type { ServiceAnswer } from './service-answer.ts';
import type { ReceivedFile, ReceivedForm } from './uploads/receive-form.ts';
import { makeStandInBytes } from './uploads/stand-in-bytes.ts';

/** A request as it came; `form` where the operation has one. */
export interface WireRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly form: ReceivedForm | undefined;
}

type Awaitable<T> = T | Promise<T>;

/** What plays one operation. */
export interface Player<Id extends string = string> {
  readonly operation: Operation & { readonly id: Id };
  readonly play: (world: SandboxWorld, wire: WireRequest) => Awaitable<ServiceAnswer>;
}

const oneStatus = createPlayer(operations.recordings.status, readStatus);

/** What plays each operation of the contract: one without an entry, or with another one's, does not compile. */
export const players: { readonly [Id in OperationId]: Player<Id> } = {
  'recordings.start': createPlayer(operations.recordings.start, startRecording),
  'recordings.status': {
    ...oneStatus,
    play: (world, wire) => readStatuses(world, wire.query) ?? oneStatus.play(world, wire),
  },
  'recordings.stop': createPlayer(operations.recordings.stop, stopRecording),
  'recordings.cancel': createPlayer(operations.recordings.cancel, cancelRecording),
  'uploads.chunk': createFormPlayer(operations.uploads.chunk, takeChunk),
  'reports.get': createPlayer(operations.reports.get, getReport),
  'reports.generate': createPlayer(operations.reports.generate, generateReport),
  'reports.editBlock': createPlayer(operations.reports.editBlock, editBlock),
  'templates.list': createPlayer(operations.templates.list, listTemplates),
  'exports.download': createPlayer(operations.exports.download, downloadExport),
  'meetings.search': createPlayer(operations.meetings.search, searchMeetings),
  'tags.list': createPlayer(operations.tags.list, listTags),
  'tags.create': createPlayer(operations.tags.create, createTag),
  'tags.attach': createPlayer(operations.tags.attach, attachTag),
  'tags.detach': createPlayer(operations.tags.detach, detachTag),
};

function createPlayer<Op extends Operation>(
  operation: Op,
  play: (world: SandboxWorld, input: OperationInput<Op>) => Awaitable<ServiceAnswer>,
) {
  return {
    operation,
    play(world: SandboxWorld, { path, query, body }: WireRequest): Awaitable<ServiceAnswer> {
      const reading = readOperationInput(operation, { path, query, body, form: undefined });
      return reading.ok ? play(world, reading.input) : reading.answer;
    },
  };
}

/** For an operation with a file part: its bytes are on disk, and the schema sees as many as it has rules for. */
function createFormPlayer<Op extends Operation>(
  operation: Op,
  play: (world: SandboxWorld, input: OperationInput<Op>, file: ReceivedFile) => Awaitable<ServiceAnswer>,
) {
  return {
    operation,
    play(world: SandboxWorld, { path, query, body, form }: WireRequest): Awaitable<ServiceAnswer> {
      if (form === undefined) throw new TypeError(`${operation.id} was played without its form.`);
      const fields = { ...form.fields, file: makeStandInBytes(form.file.bytes) };
      const reading = readOperationInput(operation, { path, query, body, form: fields });
      return reading.ok ? play(world, reading.input, form.file) : reading.answer;
    },
  };
}
