import { type Connection, readAnswer } from '../http.ts';
import type { UploadAnswer } from './chunk-format.ts';
import { formHeaders, type Transport } from './chunk-sender.ts';
import { uploading } from './upload-errors.ts';

/** The answers of the service have a few hundred bytes. */
const MAX_ANSWER_BYTES = 1024 ** 2;

/**
 * Posts the chunks through the connection's own `fetch`, which does not show whether a slow request still moves.
 *
 * `limitMs`: how long a form of so many bytes may take, with its answer.
 */
export function createFetchTransport(
  connection: Connection,
  limitMs: (bytes: number) => number,
): Pick<Transport, 'post'> {
  return {
    async post(body, boundary, { signal, leftMs = Infinity } = {}): Promise<UploadAnswer> {
      await connection.assertKeyAllowed(connection.baseUrl, uploading, signal);
      const timeoutMs = Math.min(limitMs(body.length), leftMs);
      const limit = connection.startTimeLimit(timeoutMs, signal);
      try {
        const response = await connection.fetch(connection.baseUrl + uploading.path, {
          method: 'POST',
          headers: formHeaders(connection, boundary),
          body: body as Uint8Array<ArrayBuffer>,
          redirect: 'manual',
          signal: limit.signal,
        });
        const { status, headers } = response;
        return {
          status,
          body: await readAnswer(response, MAX_ANSWER_BYTES),
          retryAfter: headers.get('retry-after'),
          contentType: headers.get('content-type'),
        };
      } catch (error) {
        const facts = { operation: uploading, signal, timeout: limit.timeout, timeoutMs };
        throw connection.explainFault(error, facts);
      } finally {
        limit.stop();
      }
    },
  };
}
