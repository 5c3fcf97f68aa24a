import type { FormEntry } from '@aftermeet/contract';

import { ServiceError } from '../errors.ts';
import { asFields, asId, type Fields, readFirst } from '../loose.ts';

// What chunks look like, and what their answers say: without network, zod or Node's own modules.

/** One data chunk: bytes `offset` to `offset + length` of the file. */
export interface PlannedChunk {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

export interface UploadPlan {
  /** In the order of the file, numbered from 0. */
  readonly chunks: readonly PlannedChunk[];
  /** The data chunks and the empty one that completes the upload (specification, "File upload", rules 2 to 4). */
  readonly chunkTotal: number;
}

/** Cuts a file of `size` bytes into chunks of `chunkBytes`; only the last one may be shorter. Both at least 1. */
export function planUpload(size: number, chunkBytes: number): UploadPlan {
  const count = Math.ceil(size / chunkBytes);
  const chunks = Array.from({ length: count }, (_, number) => {
    const offset = number * chunkBytes;
    return { number, offset, length: Math.min(chunkBytes, size - offset) };
  });
  return { chunks, chunkTotal: count + 1 };
}

/**
 * The memory of one chunk in flight, used again for every chunk it carries. The form's head is put right before the
 * chunk's bytes and its tail right behind them, so that the whole request is one range of it.
 */
export interface ChunkBuffer {
  /** Where the chunk's bytes go. */
  data(length: number): Uint8Array;
  /** The request's body around the first `length` bytes of `data`; valid until the next frame. */
  frame(head: Uint8Array, length: number, tail: Uint8Array): Uint8Array;
}

/** `headRoom` and `tailRoom`: the longest head and tail that will be asked for. */
export function createChunkBuffer(chunkBytes: number, headRoom: number, tailRoom: number): ChunkBuffer {
  // Filling it with zeros would touch each page twice; only what was written is ever sent.
  const memory = Buffer.allocUnsafeSlow(headRoom + chunkBytes + tailRoom);
  return {
    data: (length) => memory.subarray(headRoom, headRoom + length),
    frame: (head, length, tail) => {
      const start = headRoom - head.length;
      const end = headRoom + length;
      memory.set(head, start);
      memory.set(tail, end);
      return memory.subarray(start, end + tail.length);
    },
  };
}

const encoder = new TextEncoder();

/**
 * Everything of a form that stands before the file's bytes: the text parts and the file part's own head. The file part
 * comes last. Names and values are written as browsers write them (WHATWG HTML, "multipart/form-data encoding
 * algorithm"): UTF-8, line ends of values as CR LF, and in names CR, LF and `"` as `%0D`, `%0A` and `%22`.
 */
export function encodeFormHead(form: readonly FormEntry[], boundary: string): Uint8Array {
  const parts = form.map((entry) => {
    const start = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(entry.name)}"`;
    return 'value' in entry
      ? { isFile: false, text: `${start}\r\n\r\n${normalizeLineEnds(entry.value)}\r\n` }
      : {
          isFile: true,
          text: `${start}; filename="${escapeName(entry.filename)}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
        };
  });
  const inOrder = [...parts.filter(({ isFile }) => !isFile), ...parts.filter(({ isFile }) => isFile)];
  return encoder.encode(inOrder.map(({ text }) => text).join(''));
}

/** What stands behind the file's bytes. */
export function encodeFormTail(boundary: string): Uint8Array {
  return encoder.encode(`\r\n--${boundary}--\r\n`);
}

function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function normalizeLineEnds(value: string): string {
  return value.replaceAll(/\r\n|\r|\n/g, '\r\n');
}

export interface UploadAnswer {
  readonly status: number;
  /** Parsed JSON, text, or undefined for an empty body. */
  readonly body: unknown;
  /** The header as it came. */
  readonly retryAfter: string | null;
  readonly contentType: string | null;
}

/** The meeting that an upload became. */
export interface UploadedMeeting {
  readonly meetingId: string;
  readonly userId?: string;
}

/** The meeting that an answer names, at its top or one level down. */
export function findMeeting(body: unknown): UploadedMeeting | undefined {
  const level = listLevels(body).find((fields) => readMeetingId(fields) !== undefined) ?? {};
  const meetingId = readMeetingId(level);
  if (meetingId === undefined) return undefined;
  const userId = readFirst(level, ['user_id', 'userId'], asId);
  return { meetingId, ...(userId === undefined ? {} : { userId }) };
}

const CONFLICT_STATUS = 409;

/** The meeting that the same content became before, if the service says so: a conflict with it, or `duplicate`. */
export function findDuplicate({
  status,
  body,
}: Pick<UploadAnswer, 'status' | 'body'>): UploadedMeeting | undefined {
  const saysSo =
    status === CONFLICT_STATUS || listLevels(body).some((fields) => fields['duplicate'] === true);
  return saysSo ? findMeeting(body) : undefined;
}

function listLevels(body: unknown): readonly Fields[] {
  const top = asFields(body) ?? {};
  return [top, ...['data', 'meeting', 'result', 'error'].map((name) => asFields(top[name]) ?? {})];
}

function readMeetingId(fields: Fields): string | undefined {
  return readFirst(fields, ['meeting_id', 'meetingId'], asId);
}

/** How a service may say that it does not know a session any more; which of them it uses is not shown. */
const forgottenStatuses: ReadonlySet<number> = new Set([400, 404, 409, 410, 412, 422]);

/** Whether the service may mean that it does not know the session. It may as well mean that the request is wrong. */
export function mayMeanUnknownSession(error: unknown): error is ServiceError {
  return error instanceof ServiceError && forgottenStatuses.has(error.status ?? 0);
}
