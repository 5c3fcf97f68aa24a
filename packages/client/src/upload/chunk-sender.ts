import { explainAnswer } from '../explain-fault.ts';
import { listHidden } from '../list-hidden.ts';
import { refuseRedirect } from '../open-answer.ts';
import type { Connection } from '../send-request.ts';
import { isWebPage, reportWebPage } from '../web-page.ts';
import { withRetries } from '../with-retries.ts';
import type { ChunkBuffer } from './chunk-buffer.ts';
import { buildChunkForm, type UploadIdentity } from './chunk-form.ts';
import { encodeFormHead, encodeFormTail } from './multipart.ts';
import type { Transport } from './open-transport.ts';
import { findDuplicate, type UploadAnswer } from './read-upload-answer.ts';
import { doingUpload } from './upload-fault.ts';

interface SendOptions {
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every try that failed, also of those that are repeated. */
  readonly onFault?: (error: unknown) => void;
}

export interface ChunkSender {
  /**
   * Sends the first `length` bytes of the buffer as this chunk, again where that may help, from the same memory.
   * Resolves with a success or with an answer that says duplicate; throws `ServiceError` for every other one.
   */
  send(chunkNumber: number, buffer: ChunkBuffer, length: number, options: SendOptions): Promise<UploadAnswer>;
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
  const hidden = listHidden(connection.apiKey, { ...details, filename });
  return {
    send(chunkNumber, buffer, length, { sha256, signal, onFault }) {
      const form = buildChunkForm(identity, chunkNumber, buffer.data(length), sha256);
      const body = buffer.frame(encodeFormHead(form, boundary), length, tail);
      const attempt = async (): Promise<UploadAnswer> => {
        const answer = await transport.post(body, boundary, signal);
        const { status, body: said, contentType } = answer;
        // Of a login page in between, say: the chunk is not where it should be.
        if (status < 300 && isWebPage(said, contentType)) throw reportWebPage(doingUpload, status);
        if ((status >= 200 && status < 300) || findDuplicate(answer) !== undefined) return answer;
        if (status < 400) throw refuseRedirect(doingUpload, status);
        throw explainAnswer({ doing: doingUpload, nowMs: connection.clock(), ...hidden, ...answer });
      };
      const watched = async (): Promise<UploadAnswer> => {
        try {
          return await attempt();
        } catch (error) {
          onFault?.(error);
          throw error;
        }
      };
      return withRetries(connection, watched, signal);
    },
  };
}

/** How much memory the longest head of an upload needs: that of its last request. */
export function measureForm(identity: UploadIdentity, boundary: string): { head: number; tail: number } {
  const form = buildChunkForm(identity, identity.chunkTotal - 1, new Uint8Array(0), '0'.repeat(64));
  return { head: encodeFormHead(form, boundary).length, tail: encodeFormTail(boundary).length };
}
