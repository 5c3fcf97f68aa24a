import type { Server } from 'node:http';

import type { Log } from '@aftermeet/queue';

const answers: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/** Answers what is no HTTP, too slow or too large in its head as Node does by itself, and leaves a line in the log. */
export function answerBrokenRequests(server: Server, log: Log): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = error.code ?? error.name;
    // The peer has gone: there is nobody to answer and nothing to mend.
    if (code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = answers.get(code) ?? '400 Bad Request';
    log.warn({ refused: answer, cause: code }, 'request refused before it could be read');
    socket.end(`HTTP/1.1 ${answer}\r\nConnection: close\r\n\r\n`);
  });
}
