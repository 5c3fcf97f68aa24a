import http from 'node:http';
import https from 'node:https';

import { operations } from '@aftermeet/contract';

import { explainFault } from '../explain-fault.ts';
import type { Connection } from '../send-request.ts';
import { ServiceError } from '../service-error.ts';
import { readUploadAnswer, type UploadAnswer } from './read-upload-answer.ts';
import { doingUpload } from './upload-fault.ts';

/**
 * Written one after the other: TLS encrypts each write as a whole, which for a whole chunk would take its size
 * in memory twice more. Smaller ones cost CPU.
 */
const SLICE_BYTES = 4 * 1024 ** 2;
/**
 * What the system keeps for a slow link is out of sight until it has left: 4 MiB at half a Mbit/s take 67 s, and
 * the default of `timeoutMs` is 30 s.
 */
const SILENT_TIMES = 3;

type Endpoint = Pick<Connection, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'admitKey'>;

/** Sends the requests of one upload. */
export interface Transport {
  /**
   * Posts one form. Resolves with whatever status the answer has; throws `connection`, `aborted`, and `timeout`
   * when no connection is made in `timeoutMs`, nothing moves on it for three times as long, or the whole answer
   * is not there in that time. As long as something of the request moves, a slow one may take any time.
   */
  post(body: Uint8Array, boundary: string, signal?: AbortSignal): Promise<UploadAnswer>;
  /** Ends the connections: nothing of them keeps the process alive. */
  close(): void;
}

/**
 * Connections are made when they are needed, `connections` at most. With Node's own HTTP client a GiB took the
 * same CPU as with undici, whose parser is WebAssembly and costs 25 to 45 MB of memory.
 */
export function openTransport(endpoint: Endpoint, connections: number): Transport {
  const url = new URL(endpoint.baseUrl + operations.uploads.chunk.path);
  const { Agent, request: open } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const silentMs = endpoint.timeoutMs * SILENT_TIMES;

  return {
    async post(body, boundary, signal) {
      await endpoint.admitKey(endpoint.baseUrl, doingUpload, signal);
      const timeout = new AbortController();
      let timeoutMs = endpoint.timeoutMs;
      let answering: NodeJS.Timeout | undefined;
      try {
        // Redirects are not followed: the key would go along.
        const request = open(url, {
          method: 'POST',
          agent,
          timeout: timeoutMs,
          headers: {
            'x-api-key': endpoint.apiKey,
            accept: 'application/json, text/plain;q=0.9',
            'content-type': `multipart/form-data; boundary=${boundary}`,
            'content-length': body.length,
          },
          ...(signal === undefined ? {} : { signal }),
        });
        request.once('socket', () => {
          // Takes effect when the connection is made.
          request.setTimeout(silentMs);
        });
        const giveUp = (): void => {
          if (request.socket?.connecting === false) timeoutMs = silentMs;
          timeout.abort();
          request.destroy();
        };
        request.once('timeout', giveUp);
        // An answer that drips is no progress.
        request.once('finish', () => (answering = setTimeout(giveUp, silentMs).unref()));
        const answer = readResponse(request);
        writeSlices(request, body, 0);
        return await answer;
      } catch (error) {
        throw explainFault(error, { doing: doingUpload, signal, timeout: timeout.signal, timeoutMs });
      } finally {
        clearTimeout(answering);
      }
    },
    close: () => agent.destroy(),
  };
}

function writeSlices(request: http.ClientRequest, body: Uint8Array, at: number): void {
  if (at >= body.length) {
    request.end();
    return;
  }
  request.write(body.subarray(at, at + SLICE_BYTES), (error) => {
    if (error === null || error === undefined) writeSlices(request, body, at + SLICE_BYTES);
  });
}

async function readResponse(request: http.ClientRequest): Promise<UploadAnswer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // Stays: without a listener a fault after the answer would end the process.
    request.on('error', reject);
  });
  const answer = await readUploadAnswer(response);
  if (request.writableFinished) return answer;
  // Who answers before having read everything gets no more: the bytes still to go are about to be replaced.
  request.destroy();
  if (answer.status < 300) throw reportEarlyAnswer();
  return answer;
}

function reportEarlyAnswer(): ServiceError {
  const detail = 'the service answered before it had everything';
  return new ServiceError({ code: 'connection', doing: doingUpload, detail });
}
