import { buildRequest, type FormEntry } from '@aftermeet/contract';

import { isWebPage } from '../answers.ts';
import { type Connection, refuseRedirect } from '../http.ts';
import type { FormDetails } from '../inputs.ts';
import { listRedactions, redactProblems } from '../redact.ts';
import { withRetries } from '../retries.ts';
import { refusalToError, refuseInput, unreadable } from '../service-fault.ts';
import {
  type ChunkBuffer,
  encodeFormHead,
  encodeFormTail,
  findDuplicate,
  type UploadAnswer,
} from './chunk-format.ts';
import { uploading } from './upload-errors.ts';

/** What is the same in all requests of one upload. */
export interface UploadIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly filename: string;
  readonly size: number;
  readonly chunkTotal: number;
  readonly details: FormDetails;
}

/** One request's form, checked against the contract: throws `bad_request` with the rules it breaks. */
export function buildChunkForm(
  { id, sessionId, filename, size, chunkTotal, details }: UploadIdentity,
  chunkNumber: number,
  bytes: Uint8Array,
  sha256?: string,
): readonly FormEntry[] {
  const built = buildRequest(uploading, {
    ...details,
    id,
    uploadSessionId: sessionId,
    filename,
    expectedFileSize: size,
    chunkTotal: chunkTotal,
    chunkNumber: chunkNumber,
    ...(sha256 === undefined ? {} : { expectedSha256: sha256 }),
    file: bytes,
  });
  if (built.ok) return built.form ?? [];
  // The key is no part of the form.
  const redactions = listRedactions('', { ...details, filename });
  throw refuseInput(uploading, redactProblems(built.problems, redactions));
}

/** How much memory the longest head of an upload needs: that of its last request. */
export function measureForm(identity: UploadIdentity, boundary: string): { head: number; tail: number } {
  const form = buildChunkForm(identity, identity.chunkTotal - 1, new Uint8Array(0), '0'.repeat(64));
  return { head: encodeFormHead(form, boundary).length, tail: encodeFormTail(boundary).length };
}

interface SendChunkOptions {
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the error of every attempt that failed, also of those that are repeated. */
  readonly onFault?: (error: unknown) => void;
  /** How many bytes of the chunk have left, of the attempt under way: it begins again with an attempt. */
  readonly onWritten?: (bytes: number) => void;
}

export interface ChunkSender {
  /**
   * Sends the first `length` bytes of the buffer as this chunk, again if that may help, from the same memory. Resolves
   * with a success or with an answer that says duplicate; throws `ServiceError` for every other one.
   */
  send(
    chunkNumber: number,
    buffer: ChunkBuffer,
    length: number,
    options: SendChunkOptions,
  ): Promise<UploadAnswer>;
}

export interface SenderFacts {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly identity: UploadIdentity;
  readonly boundary: string;
}

export function createChunkSender({ connection, transport, identity, boundary }: SenderFacts): ChunkSender {
  const tail = encodeFormTail(boundary);
  const { filename, details } = identity;
  const redactions = listRedactions(connection.apiKey, { ...details, filename });
  return {
    send(chunkNumber, buffer, length, { sha256, signal, onFault, onWritten }) {
      const form = buildChunkForm(identity, chunkNumber, buffer.data(length), sha256);
      const head = encodeFormHead(form, boundary);
      const body = buffer.frame(head, length, tail);
      const note = (bytes: number): void => onWritten?.(Math.min(Math.max(bytes - head.length, 0), length));
      const attempt = async (leftMs: number): Promise<UploadAnswer> => {
        try {
          const answer = await transport.post(body, boundary, { signal, onWritten: note, leftMs });
          return checkAnswer(answer, connection.clock(), redactions);
        } catch (error) {
          onFault?.(error);
          throw error;
        }
      };
      // Later chunks are worth more attempts than the first, which shows whether the address is right.
      const repeatsSlowConnects = chunkNumber > 0;
      return withRetries({ ...connection, repeatsSlowConnects }, attempt, signal);
    },
  };
}

function checkAnswer(answer: UploadAnswer, nowMs: number, redactions: readonly string[]): UploadAnswer {
  const { status, body, contentType } = answer;
  // Of a login page in between, say: the chunk is not where it should be.
  if (status < 300 && isWebPage(body, contentType)) {
    throw unreadable(uploading, 'the answer is a web page', status);
  }
  if ((status >= 200 && status < 300) || findDuplicate(answer) !== undefined) return answer;
  if (status < 400) throw refuseRedirect(uploading, status);
  throw refusalToError({ operation: uploading, nowMs, redactions, ...answer });
}

/** The headers of a form, whatever posts it. */
export function formHeaders(
  { apiKey, headers }: Pick<Connection, 'apiKey' | 'headers'>,
  boundary: string,
): Readonly<Record<string, string>> {
  return {
    'x-api-key': apiKey,
    accept: 'application/json, text/plain;q=0.9',
    ...headers,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
}

interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** How many bytes of the body have left. */
  readonly onWritten?: (bytes: number) => void;
  /** What is left of the time of all attempts, for a transport that does not see whether a request still moves. */
  readonly leftMs?: number;
}

/** Sends the requests of one upload. */
export interface Transport {
  /**
   * Posts one form. Resolves with whatever status the answer has; throws `connection`, `aborted`, and `timeout` if no
   * connection (with TLS) is made in `timeoutMs`, nothing moves on it for three times as long, or the whole answer has not arrived
   * in that time. As long as something of the request moves, a slow one may take any time.
   */
  post(body: Uint8Array, boundary: string, options?: PostOptions): Promise<UploadAnswer>;
  /** Ends the connections: nothing of them keeps the process alive. */
  close(): void;
}
