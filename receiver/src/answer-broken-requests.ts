import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Log } from '@aftermeet/queue';

import { endSocket, endSocketBehind } from './end-socket.ts';
import { findPending, type OpenSockets } from './open-sockets.ts';
import { createRareLine } from './rare-line.ts';

const answers = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
} as const;
const badRequest = [400, 'Bad Request'] as const;

type Answer = readonly [status: number, reason: string];

/**
 * Answers what is no HTTP, too slow or too large in its head as Node does by itself, leaves a line in the log now and then, and closes
 * the connection. A delivery before it on the same connection gets its own answer first: a 400 in place of its 503 would
 * tell the service to forget an event that nobody stored.
 */
export function answerBrokenRequests(
  server: Server,
  open: OpenSockets,
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
): void {
  let last: { readonly refused: string; readonly cause: string } | undefined;
  const tell = createRareLine(
    (times) => log.warn({ ...last, times }, 'request refused before it could be read'),
    nowMs,
  );
  // The parser complains again about each packet behind the first one that it could not read.
  const isEnding = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = error.code ?? error.name;
    if (code === 'ECONNRESET' || code === 'EPIPE') {
      socket.destroy();
      return;
    }
    if (isEnding.has(socket)) return;
    isEnding.add(socket);
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const answer = findAnswer(code);
    last = { refused: answer.join(' '), cause: code };
    tell();
    answerInTurn(socket, findPending(open, socket), answer);
  });
}

function answerInTurn(socket: Duplex, last: ServerResponse | undefined, [status, reason]: Answer): void {
  if (last === undefined) {
    endSocket(socket, `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
  } else if (last.writableFinished) {
    endSocket(socket);
  } else if (last.headersSent || last.req.complete) {
    // What is broken stands behind a request that has, or will have, its answer.
    last.shouldKeepAlive = false;
    endSocketBehind(last, socket);
  } else {
    // It is the broken one itself. Node holds its answer back until those before it are out.
    last.writeHead(status, { 'content-length': '0', connection: 'close' });
    // Whoever reads its body hears that no more will come. Node forgets to say so once the answer is out.
    last.on('close', () => last.req.destroy());
    last.end();
  }
}

function findAnswer(code: string): Answer {
  return code in answers ? answers[code as keyof typeof answers] : badRequest;
}
