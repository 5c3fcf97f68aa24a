import { createHash } from 'node:crypto';

import {
  AmbiguousWriteError,
  type ChunkBuffer,
  ServiceError,
  createChunkBuffer,
  encodeFormHead,
  encodeFormTail,
  findDuplicate,
  findMeeting,
  findVerifyCall,
  isWebPage,
  mayMeanUnknownSession,
  planUpload,
  readSystemFault,
  refusalToError,
  refuseInput,
  toAmbiguousWriteError,
} from '@aftermeet/client/pure';
import { limits } from '@aftermeet/contract';

import { type WholeAnswer } from '../transport/raw-request.ts';
import { hideEchoes } from '../transport/redact.ts';
import { describeOperation } from '../transport/request.ts';
import { buildWireRequest, type WireFields } from '../wire/build-wire-request.ts';
import { wireOperations } from '../wire/wire-operations.ts';

/** A recording as n8n holds it. */
export interface Recording {
  /** In bytes, as n8n says. */
  readonly size: number;
  /** Undefined where n8n knows none. */
  readonly filename: string | undefined;
  /** The same for the same stored file, and for no other: it names the recording when the upload is tried again. */
  readonly identity: string;
  /** Its bytes from the beginning. To be closed, whatever happens. */
  readonly open: () => Promise<OpenedRecording>;
}

export interface OpenedRecording {
  readonly pieces: AsyncIterable<unknown>;
  readonly close: () => void;
}

interface UploadOutcome extends Completion {
  /** Of the whole file, lowercase hex. */
  readonly sha256: string;
  /** Data chunks that were sent. */
  readonly sent: number;
}

/**
 * Sends a recording in chunks and completes the upload (specification, "File upload"). One chunk is in memory at a
 * time. The file is read once and hashed on the way; one that turns out to be shorter or longer than n8n said is never completed.
 */
export async function sendRecording(
  transport: UploadTransport,
  { size, open }: Recording,
  fields: UploadFields,
): Promise<UploadOutcome> {
  checkSize(size);
  const { chunks, chunkTotal } = planUpload(size, transport.chunkBytes);
  const all = { ...fields, chunk_total: chunkTotal, expected_file_size: size };
  const sender = createChunkSender(transport, all, chunks.length, Math.min(size, transport.chunkBytes));
  throwIfCancelled(transport.signal);
  const opened = await open();
  let run: ChunksRun;
  try {
    run = await sendChunks(
      transport,
      sender,
      opened,
      chunks.map(({ length }) => length),
    );
  } finally {
    opened.close();
  }
  const { sha256, sent, duplicate } = run;
  if (duplicate !== undefined) return { meeting: duplicate, duplicate: true, sha256, sent };
  throwIfCancelled(transport.signal);
  return { ...(await completeUpload(sender, all, sha256, transport.clock())), sha256, sent };
}

interface ChunksRun {
  readonly sha256: string;
  readonly sent: number;
  /** Told by the service in its answer to a chunk: from there on the file is only read, for its hash. */
  readonly duplicate: Completion['meeting'] | undefined;
}

async function sendChunks(
  { signal }: UploadTransport,
  sender: ChunkSender,
  { pieces }: OpenedRecording,
  lengths: readonly number[],
): Promise<ChunksRun> {
  const hash = createHash('sha256');
  const reader = createPieceReader(pieces, {
    onTaken: (piece) => void hash.update(piece),
    explain: reportUnreadable,
  });
  const size = lengths.reduce((sum, length) => sum + length, 0);
  let taken = 0;
  let sent = 0;
  let duplicate: ChunksRun['duplicate'];
  for (const [number, length] of lengths.entries()) {
    throwIfCancelled(signal);
    const filled = await reader.take(sender.room(length));
    taken += filled;
    if (filled < length) throw reportSize(`ended after ${taken} of the ${size} bytes`);
    if (duplicate !== undefined) continue;
    duplicate = findDuplicate(await sender.send(number, length));
    sent += 1;
  }
  if ((await reader.take(new Uint8Array(1))) > 0) throw reportSize(`is longer than the ${size} bytes`);
  return { sha256: hash.digest('hex'), sent, duplicate };
}

function reportSize(what: string): Error {
  return reportStorage(`the binary file ${what} that n8n says it has: the upload was not completed`);
}

function checkSize(size: number): void {
  if (size === 0) throw refuseUpload('the file is empty: a recording has at least one byte');
  if (size > limits.uploadMaxBytes) {
    const words = `${limits.uploadMaxBytes} bytes (3 GB) can be uploaded, and it has ${size}`;
    throw refuseUpload(`the file is too large: at most ${words}`);
  }
}

/** 20 MiB in a quarter of an hour are 190 kbit/s: n8n does not show whether a slow request still moves. */
const CHUNK_TIMEOUT_MS = 15 * 60_000;

/** Of the final request, as in the client: the service puts the chunks together. */
const FINAL_TIMEOUT_MS = 90_000;

/** How requests go out; all that an upload needs of the world. */
export interface UploadTransport {
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
  readonly redactions: readonly string[];
}

/** The fields that are the same in all requests of one upload. */
type UploadFields = WireFields;

interface ChunkSender {
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
function createChunkSender(
  transport: UploadTransport,
  fields: UploadFields,
  finalNumber: number,
  chunkBytes: number,
): ChunkSender {
  const { boundary } = transport;
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
    send: (number, length) => sendAgain(transport, frame(number, length), CHUNK_TIMEOUT_MS),
    finish: (sha256, onFault) =>
      sendAgain(transport, frame(finalNumber, 0, sha256), FINAL_TIMEOUT_MS, onFault),
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
  if (!request.ok) throw refuseInput(doingUpload, request.problems);
  const parts = (request.form ?? []).map(([name, value]) => ({ name, value }));
  const file = { name: 'file', bytes: data, filename: String(fields['filename']) };
  return encodeFormHead([...parts, file], boundary);
}

async function sendAgain(
  transport: UploadTransport,
  form: Buffer,
  timeoutMs: number,
  onFault = (error: unknown): unknown => error,
): Promise<WholeAnswer> {
  const attempt = async (): Promise<WholeAnswer> => {
    // Outside: nothing was sent.
    throwIfCancelled(transport.signal);
    try {
      return judgeAnswer(transport, await transport.post(form, timeoutMs));
    } catch (error) {
      throw onFault(error);
    }
  };
  return await transport.repeat(attempt);
}

function judgeAnswer({ clock, redactions }: UploadTransport, answer: WholeAnswer): WholeAnswer {
  const { status, body, contentType } = answer;
  const isSuccess = status >= 200 && status < 300;
  // Of a login page in between, say: the chunk is not where it should be.
  if (isSuccess && isWebPage(body, contentType)) {
    throw new ServiceError({
      code: 'unreadable',
      operation: doingUpload,
      status,
      detail: 'the answer is a web page',
    });
  }
  if (isSuccess || findDuplicate(answer) !== undefined) {
    return { ...answer, body: hideEchoes(body, redactions) };
  }
  throw refusalToError({ operation: doingUpload, nowMs: clock(), redactions, ...answer });
}

/** Takes the bytes of a stream in pieces of whatever length is asked for. */
interface PieceReader {
  /** Up to `into.length` bytes; fewer only at the end. */
  take(into: Uint8Array): Promise<number>;
}

interface ReaderOptions {
  /** Told of every byte that was taken, in order, a piece at a time. */
  readonly onTaken: (piece: Uint8Array) => void;
  /** What a fault of the stream means. */
  readonly explain: (error: unknown) => ServiceError;
}

/** Nothing is read before the first `take`. */
function createPieceReader(pieces: AsyncIterable<unknown>, { onTaken, explain }: ReaderOptions): PieceReader {
  const iterator = pieces[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  let hasEnded = false;

  async function fetchRest(): Promise<void> {
    try {
      const { done = false, value } = await iterator.next();
      hasEnded = done;
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new TypeError('a piece is not made of bytes');
      rest = value;
    } catch (error) {
      throw explain(error);
    }
  }

  return {
    async take(into) {
      let filled = 0;
      while (filled < into.length) {
        if (rest.length === 0 && !hasEnded) await fetchRest();
        if (hasEnded) break;
        const piece = rest.subarray(0, into.length - filled);
        into.set(piece, filled);
        onTaken(piece);
        filled += piece.length;
        rest = rest.subarray(piece.length);
      }
      return filled;
    },
  };
}

const operationId = 'uploads.chunk';

type UploadedMeeting = NonNullable<ReturnType<typeof findMeeting>>;

interface Completion {
  readonly meeting: UploadedMeeting;
  readonly duplicate: boolean;
}

/**
 * Sends the final, empty request (specification, "File upload", rule 3), which is repeated like the others: with the same ids it
 * completes the same upload. A refusal after a try that got no answer may come from a service that has completed the upload and
 * forgotten it: that, and an answer that names no meeting, is an `AmbiguousWriteError`.
 */
async function completeUpload(
  sender: ChunkSender,
  fields: UploadFields,
  sha256: string,
  sentMs: number,
): Promise<Completion> {
  const doubt = { fields, sentMs };
  let isInDoubt = false;
  try {
    const answer = await sender.finish(sha256, (error) => {
      isInDoubt ||= mayHaveWorked(error);
      return error;
    });
    const duplicate = findDuplicate(answer);
    const meeting = duplicate ?? findMeeting(answer.body);
    // After a lost answer the meeting that is there may be the one that this upload made.
    if (meeting !== undefined) return { meeting, duplicate: duplicate !== undefined && !isInDoubt };
    throw reportDoubt('the answer names no meeting', doubt, answer.status);
  } catch (error) {
    throw explainFailure(error, isInDoubt ? doubt : undefined);
  }
}

interface Doubt {
  readonly fields: UploadFields;
  /** When the first try went out. */
  readonly sentMs: number;
}

/** Whether a final request that failed like this may have made a meeting all the same. */
function mayHaveWorked(error: unknown): boolean {
  return (
    toAmbiguousWriteError(error, { operation: wireOperations['uploads.chunk'], input: {}, nowMs: 0 }) !==
    error
  );
}

function explainFailure(error: unknown, doubt: Doubt | undefined): unknown {
  if (doubt === undefined || error instanceof AmbiguousWriteError) return error;
  if (mayHaveWorked(error)) {
    return toAmbiguousWriteError(error, {
      operation: wireOperations['uploads.chunk'],
      input: doubt.fields,
      nowMs: doubt.sentMs,
    });
  }
  const status = error instanceof ServiceError ? error.status : undefined;
  const lost = 'an earlier final request got no answer';
  return reportDoubt(
    mayMeanUnknownSession(error) ? `${lost}, and this one was refused` : lost,
    doubt,
    status,
  );
}

function reportDoubt(reason: string, { fields, sentMs }: Doubt, status: number | undefined): ServiceError {
  return new AmbiguousWriteError({
    operation: doingUpload,
    reason,
    verifyWith: findVerifyCall(operationId, fields, sentMs),
    ...(status === undefined ? {} : { status }),
  });
}

/** What every error of an upload says was being done. */
export const doingUpload = describeOperation(wireOperations['uploads.chunk']);

/** A parameter or a file that breaks a rule; nothing was sent. */
export function refuseUpload(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: doingUpload, detail, unsent: true });
}

/** A stored file that cannot be read, or is not what n8n says: chunks may have been sent, and no meeting was made of them. */
function reportStorage(detail: string): ServiceError {
  return new ServiceError({ code: 'file_system', operation: doingUpload, detail });
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation: doingUpload });
}

/** Of our own: what stands before the name (RFC 9562, 5.5). */
const namespace = Buffer.from('6f1d0c1e5f5b4c0e9a3b7c52d8a4e671', 'hex');

/** A UUID that is the same for the same parts: version 5, which services take that check the version (RFC 9562, 5.5). Pure. */
export function nameUuid(parts: readonly string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Only the system's word for it: its message holds a path. */
export function reportUnreadable(error: unknown): ServiceError {
  return reportStorage(`n8n cannot read the binary file: ${readSystemFault(error).systemCode}`);
}
