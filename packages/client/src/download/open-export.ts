import { operations } from '@aftermeet/contract';

import { readRetryAfter } from '../classify-answer.ts';
import type { ExportInput } from '../client.ts';
import { openAnswer, type OpenedAnswer } from '../open-answer.ts';
import { type Call, describeOperation, prepareCall } from '../prepare-call.ts';
import { describeAnswer, readAnswer } from '../read-answer.ts';
import type { Connection } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import { chooseFilename } from './choose-filename.ts';
import { isWholeFile, judgeHead } from './file-head.ts';
import { acceptFormat, isPage } from './file-kinds.ts';
import { createPieceReader, type PieceReader } from './piece-reader.ts';

/** An export whose first bytes are here. */
export interface OpenedExport {
  readonly first: Uint8Array;
  readonly rest: PieceReader;
  readonly filename: string;
  readonly contentType: string | undefined;
}

export const doingExport = describeOperation(operations.exports.download);

const FILE_STATUS = 200;
const NOT_READY_STATUS = 202;
const MAX_PAGE_BYTES = 64 * 1024;

export function prepareExport(connection: Connection, input: ExportInput): Call {
  const call = prepareCall(connection, operations.exports.download, input, acceptFormat(input.format));
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
export async function openExport(
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
  const rest = createPieceReader(opened, call.doing);
  try {
    const first = await readHead(rest, call, input.format);
    const disposition = headers.get('content-disposition');
    const filename = chooseFilename({ disposition, meetingId: input.meeting_id, format: input.format });
    return { first, rest, filename, contentType: contentType ?? undefined };
  } catch (error) {
    rest.close();
    throw error;
  }
}

/** The first piece, or as many of the first as it takes to see that they begin a file of this format. */
async function readHead(
  rest: PieceReader,
  { doing }: Call,
  format: ExportInput['format'],
): Promise<Uint8Array> {
  let head = Buffer.alloc(0);
  for (;;) {
    const piece = await rest.next();
    if (piece === undefined && head.length === 0) throw refuseFile(doing, 'the file is empty');
    if (piece !== undefined) head = Buffer.concat([head, piece]);
    const verdict = judgeHead(format, head);
    const isOver = piece === undefined && verdict === 'more';
    if (verdict === 'right' || (isOver && isWholeFile(format))) return head;
    if (verdict === 'wrong' || isOver) {
      throw refuseFile(doing, `the answer does not begin as a file of format ${format} does`);
    }
  }
}

function refuseFile(doing: string, detail: string): ServiceError {
  return new ServiceError({ code: 'unreadable', doing, status: FILE_STATUS, detail });
}

async function refuseAnswer(
  { response, watch, explain }: OpenedAnswer,
  { doing, secrets, texts }: Call,
  nowMs: number,
): Promise<ServiceError> {
  const { status, headers } = response;
  try {
    const said = describeAnswer(await readAnswer(response, MAX_PAGE_BYTES), secrets, texts);
    if (status !== NOT_READY_STATUS) {
      const detail = `the answer is not a file${said === undefined ? '' : `: ${said}`}`;
      return new ServiceError({ code: 'unreadable', doing, status, detail });
    }
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs);
    return new ServiceError({
      code: 'not_ready',
      doing,
      status,
      detail: said ?? 'there is no file yet',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  } catch (error) {
    return explain(error);
  } finally {
    watch.stop();
  }
}
