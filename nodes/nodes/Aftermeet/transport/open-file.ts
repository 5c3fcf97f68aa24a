import {
  DEFAULT_TIMEOUT_MS,
  describeAnswer,
  refusalToError,
  isPage,
  readRetryAfter,
  ServiceError,
} from '@aftermeet/client/pure';

import { parseBody, type RawAnswer, requestRaw, type ServiceContext } from './raw-request.ts';
import { findRequestLimits } from './request-limits.ts';
import { findTimeoutMs } from './request.ts';
import { type FileStream, isFileStream, readBytes } from './streams.ts';

/** Of the whole transfer: n8n does not show whether a slow one still moves. A file of some MiB comes over any link in this time. */
const LIMIT_MS = 10 * 60_000;

/** A description of an error is a line, not a book. */
const MAX_REFUSAL_BYTES = 64 * 1024;

const FILE_STATUS = 200;

const NOT_READY_STATUS = 202;

interface FileRequest {
  /** What stands in errors. */
  readonly doing: string;
  readonly url: string;
  readonly accept: string;
  /** How long the head of the answer may take at most. */
  readonly leftMs?: number;
  readonly redactions: readonly string[];
}

/** A file whose first bytes are still to come. */
export interface OpenedFile {
  readonly stream: FileStream;
  /** Where the service says it and nothing was compressed on the way. */
  readonly totalBytes: number | undefined;
  /** The header as it came. */
  readonly disposition: string | null;
  /** What a fault of the stream means. */
  readonly explain: RawAnswer['explain'];
}

/**
 * Asks once for a file. Throws `ServiceError` with what the service said for everything else: `not_ready` for 202, `unreadable`
 * for a message or a page with a status of success. The caller ends the stream.
 */
export async function openFile(context: ServiceContext, request: FileRequest): Promise<OpenedFile> {
  const { doing, url, accept, leftMs = Infinity } = request;
  const answer = await requestRaw(context, {
    doing,
    method: 'GET',
    url,
    // Compressed on the way, its length would say nothing about the file's.
    headers: { accept, 'accept-encoding': 'identity' },
    timeoutMs: findTimeoutMs(context, DEFAULT_TIMEOUT_MS, leftMs),
    limitMs: Math.min(LIMIT_MS, findRequestLimits(context).totalMs ?? LIMIT_MS),
  });
  const { status, readHeader, body, explain } = answer;
  if (status === FILE_STATUS && !isPage(readHeader('content-type')) && isFileStream(body)) {
    const disposition = readHeader('content-disposition');
    return { stream: body, totalBytes: readLength(answer), disposition, explain };
  }
  throw await refuseAnswer(answer, request);
}

async function refuseAnswer(answer: RawAnswer, { doing, redactions }: FileRequest): Promise<ServiceError> {
  const { status, readHeader } = answer;
  const said = await readRefusal(answer);
  const nowMs = Date.now();
  const retryAfter = readHeader('retry-after');
  if (status < 200 || status >= 300) {
    return refusalToError({ operation: doing, status, body: said, retryAfter, nowMs, redactions });
  }
  const words = describeAnswer(said, redactions);
  if (status !== NOT_READY_STATUS) {
    const detail = `the answer is not a file${words === undefined ? '' : `: ${words}`}`;
    return new ServiceError({ code: 'unreadable', operation: doing, status, detail });
  }
  const retryAfterMs = readRetryAfter(retryAfter, nowMs);
  return new ServiceError({
    code: 'not_ready',
    operation: doing,
    status,
    detail: words ?? 'there is no file yet',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** What the service says about an error. That it cannot be read, or is a file, must not hide the status. */
async function readRefusal({ body, readHeader }: RawAnswer): Promise<unknown> {
  try {
    const deadlineMs = Date.now() + DEFAULT_TIMEOUT_MS;
    const bytes = await readBytes(body, { maxBytes: MAX_REFUSAL_BYTES, deadlineMs, clock: Date.now });
    return parseBody(bytes, readHeader('content-type'));
  } catch {
    return undefined;
  }
}

/**
 * How many bytes it has at least. Of a body that was compressed all the same the length counts the compressed bytes, and n8n does
 * not always show that it was.
 */
function readLength({ readHeader }: RawAnswer): number | undefined {
  const encoding = readHeader('content-encoding') ?? 'identity';
  const length = readHeader('content-length');
  if (encoding.trim().toLowerCase() !== 'identity' || length === null || !/^\d{1,15}$/.test(length)) {
    return undefined;
  }
  return Number(length);
}
