import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly socket: Socket;
}

/** A status, or what happens instead of an answer. */
type Reaction = number | 'cut' | 'hang' | 'redirect';

/** Receives deliveries, keeps them as they came, and answers each as configured. */
export interface PickyReceiver {
  /** Its path is secret: it must not appear in logs and pages. */
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Resolves with all arrivals when there are so many. */
  readonly waitFor: (count: number) => Promise<readonly Arrival[]>;
  readonly close: () => Promise<void>;
}

const secretPath = '/hooks/default/capability-key';

/** `react` is called for each arrival, the first with the number 1. Closes when the test ends. */
export async function startPickyReceiver(
  react: (number: number, arrival: Arrival) => Reaction = () => 200,
): Promise<PickyReceiver> {
  const arrivals: Arrival[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = { headers: request.headers, body: Buffer.concat(chunks), socket: request.socket };
      arrivals.push(arrival);
      const reaction = react(arrivals.length, arrival);
      if (reaction === 'cut') request.socket.destroy();
      else if (reaction === 'redirect') response.writeHead(307, { Location: '/elsewhere' }).end();
      else if (reaction !== 'hang') response.writeHead(reaction).end('thanks');
      for (const look of watchers) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${secretPath}`,
    arrivals,
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (arrivals.length < count) return;
          watchers.delete(look);
          resolve(arrivals);
        };
        watchers.add(look);
        look();
      }),
    close,
  };
}

/** All bytes of one connection until it ended, and how it ended. */
interface RawAnswer {
  readonly bytes: string;
  readonly isReset: boolean;
}

/** Sends one request on a new connection with `Connection: close`, and waits for the end of the connection. */
export async function askRaw(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let bytes = '';
  let isReset = false;
  socket.setEncoding('latin1').on('data', (piece: string) => (bytes += piece));
  socket.on('error', (error: NodeJS.ErrnoException) => (isReset = error.code === 'ECONNRESET'));
  socket.write([...lines, `Host: ${hostname}`, 'Connection: close', '', body].join('\r\n'));
  await new Promise((resolve) => socket.once('close', resolve));
  return { bytes, isReset };
}
