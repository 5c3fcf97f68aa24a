import { join } from 'node:path';
import { Readable } from 'node:stream';

import { operations } from '@aftermeet/contract';

import type { CallOptions, DownloadOptions, ExportStream, SavedFile } from '../client.ts';
import { ServiceError } from '../errors.ts';
import {
  type Call,
  type Connection,
  openAnswer,
  type OpenedAnswer,
  prepareCall,
  readAnswer,
} from '../http.ts';
import type { ExportInput } from '../inputs.ts';
import { readStatusWord } from '../meeting-status.ts';
import { redact } from '../redact.ts';
import { withRetries } from '../retries.ts';
import { readRetryAfter } from '../retry-after.ts';
import { describeAnswer, unreadable } from '../service-fault.ts';
import { acceptFormat, isPage, isWholeFile, judgeHead } from './file-type.ts';
import { chooseFilename } from './filename.ts';
import { checkTarget, isFolder, saveFile } from './save-file.ts';

const exporting = operations.exports.download;

/** Into a file. A transfer that broke off begins again: the service is not asked for parts of a file. */
export async function downloadExport(
  connection: Connection,
  input: ExportInput,
  path: string,
  { signal, onProgress, overwrite = false, mode }: DownloadOptions = {},
): Promise<SavedFile> {
  const call = prepareExport(connection, input);
  const intoFolder = await isFolder(path);
  if (!intoFolder) await checkTarget(path, overwrite);
  const saveOnce = async (): Promise<SavedFile> => {
    const opened = await openExport(connection, call, input, signal);
    try {
      const target = intoFolder ? join(path, opened.filename) : path;
      if (intoFolder) await checkTarget(target, overwrite);
      return { path: target, bytes: await saveFile(opened, target, { overwrite, onProgress, mode }) };
    } finally {
      opened.rest.close();
    }
  };
  return withRetries(connection, saveOnce, signal);
}

/** Repeated until the first bytes are here; what breaks off later is the stream's error. */
export async function streamExport(
  connection: Connection,
  input: ExportInput,
  { signal }: CallOptions = {},
): Promise<ExportStream> {
  const call = prepareExport(connection, input);
  const opened = await withRetries(connection, () => openExport(connection, call, input, signal), signal);
  const { filename, contentType, rest } = opened;
  return {
    stream: streamPieces(opened),
    filename,
    ...(contentType === undefined ? {} : { contentType }),
    ...(rest.totalBytes === undefined ? {} : { totalBytes: rest.totalBytes }),
  };
}

/** An export whose first bytes are here. */
interface OpenedExport {
  readonly first: Uint8Array;
  readonly rest: PieceReader;
  readonly filename: string;
  readonly contentType: string | undefined;
}

const FILE_STATUS = 200;
const NOT_READY_STATUS = 202;
const MAX_PAGE_BYTES = 64 * 1024;

function prepareExport(connection: Connection, input: ExportInput): Call {
  const call = prepareCall(connection, exporting, input, acceptFormat(input.format));
  // Compressed on the way, its length would say nothing about the file's.
  return {
    ...call,
    init: { ...call.init, headers: { ...call.init.headers, 'accept-encoding': 'identity' } },
  };
}

/**
 * Asks once for the file and waits for its first bytes. A message or a page where a file should be, and a
 * file without bytes, are `unreadable`; of a meeting that is still going on it is `not_ready`.
 */
async function openExport(
  connection: Connection,
  call: Call,
  input: ExportInput,
  signal: AbortSignal | undefined,
): Promise<OpenedExport> {
  const opened = await openAnswer(connection, call, signal);
  const { status, headers } = opened.response;
  const contentType = headers.get('content-type');
  if (status !== FILE_STATUS || isPage(contentType))
    throw await refuseAnswer(opened, call, connection.clock());
  const rest = createPieceReader(opened);
  try {
    const first = await readHead(rest, input.format);
    const disposition = headers.get('content-disposition');
    const filename = chooseFilename({ disposition, meetingId: input.meetingId, format: input.format });
    return { first, rest, filename, contentType: contentType ?? undefined };
  } catch (error) {
    rest.close();
    throw error;
  }
}

/** The first piece, or as many of the first as it takes to see that they begin a file of this format. */
async function readHead(rest: PieceReader, format: ExportInput['format']): Promise<Uint8Array> {
  let head = Buffer.alloc(0);
  for (;;) {
    const piece = await rest.next();
    if (piece === undefined && head.length === 0)
      throw unreadable(exporting, 'the file is empty', FILE_STATUS);
    if (piece !== undefined) head = Buffer.concat([head, piece]);
    const verdict = judgeHead(format, head);
    const isOver = piece === undefined && verdict === 'more';
    if (verdict === 'right' || (isOver && isWholeFile(format))) return head;
    if (verdict === 'wrong' || isOver) {
      throw unreadable(
        exporting,
        `the answer does not begin as a file of format ${format} does`,
        FILE_STATUS,
      );
    }
  }
}

async function refuseAnswer(
  { response, limit, toError }: OpenedAnswer,
  { redactions }: Call,
  nowMs: number,
): Promise<ServiceError> {
  const { status, headers } = response;
  try {
    const body = await readAnswer(response, MAX_PAGE_BYTES);
    const said = describeAnswer(body, redactions);
    if (status !== NOT_READY_STATUS) {
      return unreadable(
        exporting,
        `the answer is not a file${said === undefined ? '' : `: ${said}`}`,
        status,
      );
    }
    return new ServiceError({
      code: 'not_ready',
      operation: exporting,
      status,
      detail: said ?? 'there is no file yet',
      serviceStatus: redact(readStatusWord(body, ''), redactions),
      retryAfterMs: readRetryAfter(headers.get('retry-after'), nowMs),
    });
  } catch (error) {
    return toError(error);
  } finally {
    limit.stop();
  }
}

/** The body of an answer, piece by piece. */
interface PieceReader {
  /** Where the service says it and nothing was compressed on the way. */
  readonly totalBytes: number | undefined;
  /**
   * The next piece, never an empty one; undefined at the end. Throws `ServiceError`: `timeout` when none comes
   * in time, `connection` when the body ends before it was complete.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Gives the rest up. To be called at the end too. */
  close(): void;
}

function createPieceReader(opened: OpenedAnswer): PieceReader {
  const { response, limit, toError } = opened;
  const totalBytes = readLength(response.headers);
  const reader = response.body?.getReader();
  let received = 0;

  const readPiece = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const read = await reader?.read();
      const piece: unknown = read?.value;
      if (!(piece instanceof Uint8Array)) return undefined;
      if (piece.length > 0) return piece;
    }
  };

  return {
    totalBytes,
    async next() {
      limit.restart();
      try {
        const piece = await readPiece();
        received += piece?.length ?? 0;
        if (piece !== undefined || totalBytes === undefined || received === totalBytes) return piece;
      } catch (error) {
        throw toError(error);
      } finally {
        // From here on the caller is the slow one.
        limit.pause();
      }
      const detail = `the file broke off after ${received} of ${totalBytes} bytes`;
      throw new ServiceError({ code: 'connection', operation: exporting, detail });
    },
    close: () => limit.stop(),
  };
}

/** Of a body that was compressed on the way the length counts the compressed bytes. */
function readLength(headers: Headers): number | undefined {
  const encoding = headers.get('content-encoding') ?? 'identity';
  const length = headers.get('content-length');
  if (encoding.trim().toLowerCase() !== 'identity' || length === null || !/^\d{1,15}$/.test(length)) {
    return undefined;
  }
  return Number(length);
}

/** The file as a stream that asks for a piece only when one is wanted. Destroying it ends the transfer at once. */
function streamPieces({ first, rest }: OpenedExport): Readable {
  let isFirst = true;
  const nextPiece = async (): Promise<Uint8Array | undefined> => {
    if (!isFirst) return rest.next();
    isFirst = false;
    return first;
  };
  const pushNext = async (stream: Readable): Promise<void> => {
    try {
      stream.push((await nextPiece()) ?? null);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return new Readable({
    read() {
      void pushNext(this);
    },
    destroy(error, done) {
      rest.close();
      done(error);
    },
  });
}
