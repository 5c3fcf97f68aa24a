import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly socket: Socket;
}

/** A status, or something that is no answer. */
export type Reaction = number | 'cut' | 'hang' | 'redirect';

/** Takes deliveries, keeps them as they came and answers each as it was told to. */
export interface PickyReceiver {
  /** With a path that nobody may see. */
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** How many connections were opened. */
  readonly connections: () => number;
  /** Resolves when so many have arrived, with all that have. */
  readonly waitFor: (count: number) => Promise<readonly Arrival[]>;
  readonly close: () => Promise<void>;
}

export const secretPath = '/hooks/default/capability-key';

/** `react` is asked for each arrival, the first of which has the number 1. Closes when the test ends. */
export async function startPickyReceiver(
  react: (number: number, arrival: Arrival) => Reaction = () => 200,
): Promise<PickyReceiver> {
  const arrivals: Arrival[] = [];
  const watchers = new Set<() => void>();
  let connections = 0;
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
  server.on('connection', () => {
    connections += 1;
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
    connections: () => connections,
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
