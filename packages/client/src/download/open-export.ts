import { operations } from '@aftermeet/contract';

import { ServiceError } from '../errors.ts';
import {
  type AttemptOptions,
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
import { readRetryAfter } from '../retry-after.ts';
import { describeAnswer, unreadable } from '../service-fault.ts';
import { acceptFormat, isPage } from './file-type.ts';

export const exporting = operations.exports.download;

export const FILE_STATUS = 200;
const NOT_READY_STATUS = 202;
const MAX_PAGE_BYTES = 64 * 1024;

export function prepareExport(connection: Connection, input: ExportInput): Call {
  const call = prepareCall(connection, exporting, input, acceptFormat(input.format));
  // Compressed on the way, its length would say nothing about the file's.
  return {
    ...call,
    init: { ...call.init, headers: { ...call.init.headers, 'accept-encoding': 'identity' } },
  };
}

/**
 * Asks once for the file, up to the head of the answer. A message or a page where a file should be is `unreadable`; of a
 * meeting that is still going on it is `not_ready`.
 */
export async function openFile(
  connection: Connection,
  call: Call,
  options: AttemptOptions,
): Promise<OpenedAnswer> {
  const opened = await openAnswer(connection, call, options);
  const { status, headers } = opened.response;
  if (status === FILE_STATUS && !isPage(headers.get('content-type'))) return opened;
  throw await refuseAnswer(opened, call, connection.clock());
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

/** Of a body that was compressed on the way the length counts the compressed bytes. */
export function readLength(headers: Headers): number | undefined {
  const encoding = headers.get('content-encoding') ?? 'identity';
  const length = headers.get('content-length');
  if (encoding.trim().toLowerCase() !== 'identity' || length === null || !/^\d{1,15}$/.test(length)) {
    return undefined;
  }
  return Number(length);
}
