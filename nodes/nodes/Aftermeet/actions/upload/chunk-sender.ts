import {
  type ChunkBuffer,
  createChunkBuffer,
  encodeFormHead,
  encodeFormTail,
  explainAnswer,
  findDuplicate,
  type Hidden,
  isWebPage,
  ServiceError,
} from '@aftermeet/client/pure';

import { hideEchoes } from '../../transport/hide-echoes.ts';
import type { WholeAnswer } from '../../transport/request-whole.ts';
import { buildWireRequest, type WireFields } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { doingUpload, refuseUpload, throwIfCancelled } from './upload-fault.ts';

/** 20 MiB in a quarter of an hour are 190 kbit/s: n8n does not show whether a slow request still moves. */
const CHUNK_TIMEOUT_MS = 15 * 60_000;
/** Of the final request, as in the client: the service puts the chunks together. */
const FINAL_TIMEOUT_MS = 90_000;

/** How requests go out; all that an upload needs of the world. */
export interface UploadWorld {
  /** Posts one encoded form, whatever the answer. */
  readonly post: (form: Buffer, timeoutMs: number) => Promise<WholeAnswer>;
  readonly boundary: string;
  /** Of each data chunk but the last: at most 20 MiB (specification, "Limits"). */
  readonly chunkBytes: number;
  /** Makes an attempt, and again where that may help. */
  readonly repeat: (attempt: () => Promise<WholeAnswer>) => Promise<WholeAnswer>;
  readonly clock: () => number;
  readonly signal: AbortSignal | undefined;
  /** What no error may repeat. */
  readonly hidden: Hidden;
}

/** The fields that are the same in all requests of one upload. */
export type UploadFields = WireFields;

export interface ChunkSender {
  /** Where the bytes of the next chunk go. Nothing else may be written there until it was sent. */
  room(length: number): Uint8Array;
  /**
   * Sends the first `length` bytes of the room as this chunk, again where that may help, from the same memory. Resolves with a
   * success or an answer that says duplicate; throws `ServiceError` for every other one.
   */
  send(chunkNumber: number, length: number): Promise<WholeAnswer>;
  /** The empty request that completes the upload. `onFault` is told of every try that failed, and returns what to throw. */
  finish(sha256: string, onFault: (error: unknown) => unknown): Promise<WholeAnswer>;
}

/** There is one piece of memory, of one chunk and what stands around it; whatever breaks a rule is refused here. */
export function createChunkSender(
  world: UploadWorld,
  fields: UploadFields,
  finalNumber: number,
  chunkBytes: number,
): ChunkSender {
  const { boundary } = world;
  const tail = encodeFormTail(boundary);
  const encode = (number: number, data: Uint8Array, sha256?: string): Uint8Array =>
    encodeHead(fields, boundary, number, data, sha256);
  const longest = encode(finalNumber, new Uint8Array(0), '0'.repeat(64)).length;
  const buffer: ChunkBuffer = createChunkBuffer(chunkBytes, longest, tail.length);
  const frame = (number: number, length: number, sha256?: string): Buffer => {
    const bytes = buffer.frame(encode(number, buffer.data(length), sha256), length, tail);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };

  return {
    room: (length) => buffer.data(length),
    send: (number, length) => sendAgain(world, frame(number, length), CHUNK_TIMEOUT_MS),
    finish: (sha256, onFault) => sendAgain(world, frame(finalNumber, 0, sha256), FINAL_TIMEOUT_MS, onFault),
  };
}

function encodeHead(
  fields: UploadFields,
  boundary: string,
  chunkNumber: number,
  data: Uint8Array,
  sha256: string | undefined,
): Uint8Array {
  const request = buildWireRequest(wireOperations['uploads.chunk'], {
    ...fields,
    chunk_number: chunkNumber,
    ...(sha256 === undefined ? {} : { expected_sha256: sha256 }),
    file: data,
  });
  if (!request.ok) throw refuseUpload(request.problems.join('; '));
  const parts = (request.form ?? []).map(([name, value]) => ({ name, value }));
  const file = { name: 'file', bytes: data, filename: String(fields['filename']) };
  return encodeFormHead([...parts, file], boundary);
}

async function sendAgain(
  world: UploadWorld,
  form: Buffer,
  timeoutMs: number,
  onFault = (error: unknown): unknown => error,
): Promise<WholeAnswer> {
  const attempt = async (): Promise<WholeAnswer> => {
    // Outside: nothing was sent.
    throwIfCancelled(world.signal);
    try {
      return judgeAnswer(world, await world.post(form, timeoutMs));
    } catch (error) {
      throw onFault(error);
    }
  };
  return await world.repeat(attempt);
}

function judgeAnswer({ clock, hidden }: UploadWorld, answer: WholeAnswer): WholeAnswer {
  const { status, body, contentType } = answer;
  const isSuccess = status >= 200 && status < 300;
  // Of a login page in between, say: the chunk is not where it should be.
  if (isSuccess && isWebPage(body, contentType)) {
    throw new ServiceError({
      code: 'unreadable',
      doing: doingUpload,
      status,
      detail: 'the answer is a web page',
    });
  }
  if (isSuccess || findDuplicate(answer) !== undefined) {
    return { ...answer, body: hideEchoes(body, hidden.secrets) };
  }
  throw explainAnswer({ doing: doingUpload, nowMs: clock(), ...hidden, ...answer });
}
