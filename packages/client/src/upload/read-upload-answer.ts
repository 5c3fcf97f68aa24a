import type { IncomingMessage } from 'node:http';

import { asFields, type Fields, readFirst } from '../report/loose.ts';
import { asId } from '../report/read-id.ts';

/** The answers of the service have a few hundred bytes. */
const MAX_ANSWER_BYTES = 1024 ** 2;

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

/** Reads an answer to its end. Throws a `RangeError` when it is over 1 MiB. */
export async function readUploadAnswer(response: IncomingMessage): Promise<UploadAnswer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError(`the answer is over ${MAX_ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return {
    status: response.statusCode ?? 0,
    body: parseBody(new TextDecoder().decode(Buffer.concat(pieces))),
    retryAfter: response.headers['retry-after'] ?? null,
    contentType: response.headers['content-type'] ?? null,
  };
}

/** JSON whatever the content type says; what is none is text. */
function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
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

/** The meeting that the same content became before, where the service says so: a conflict with it, or `duplicate`. */
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
