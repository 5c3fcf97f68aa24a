import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { CallOptions, DownloadOptions, ExportStream, SavedFile } from '../client.ts';
import { ServiceError } from '../errors.ts';
import type { AttemptOptions, Call, Connection, OpenedAnswer } from '../http.ts';
import type { ExportInput } from '../inputs.ts';
import { withRetries } from '../retries.ts';
import { unreadable } from '../service-fault.ts';
import { isWholeFile, judgeHead } from './file-type.ts';
import { chooseFilename } from './filename.ts';
import { exporting, FILE_STATUS, openFile, prepareExport, readLength } from './open-export.ts';
import { checkTarget, isFolder, saveFile } from './save-file.ts';

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
  const saveOnce = async (leftMs: number): Promise<SavedFile> => {
    const opened = await openExport(connection, call, input, { signal, leftMs });
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
  const openOnce = (leftMs: number): Promise<OpenedExport> =>
    openExport(connection, call, input, { signal, leftMs });
  const opened = await withRetries(connection, openOnce, signal);
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

/**
 * Asks once for the file and waits for its first bytes. A message or a page where a file should be, and a
 * file without bytes, are `unreadable`; of a meeting that is still going on it is `not_ready`.
 */
async function openExport(
  connection: Connection,
  call: Call,
  input: ExportInput,
  options: AttemptOptions,
): Promise<OpenedExport> {
  const opened = await openFile(connection, call, options);
  const { headers } = opened.response;
  const contentType = headers.get('content-type');
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
