import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server in front of another one that can fall silent: it goes on listening and answers nothing. */
export interface Relay {
  readonly port: number;
  mute(): void;
  /** Closes open connections and accepts new ones. */
  cut(): void;
  close(): Promise<void>;
}

async function startRelay(
  target: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<Relay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    return socket;
  };
  let isMute = false;
  const server = createServer((near) => {
    const far = keep(connect(target));
    keep(near).pipe(far);
    far.on('data', (chunk) => {
      if (!isMute) near.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mute: () => {
      isMute = true;
    },
    cut: () => {
      isMute = false;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A relay in front of a store, and the address of the store through it. */
export async function relayStore(queueUrl: string): Promise<{ readonly relay: Relay; readonly url: string }> {
  const url = new URL(queueUrl);
  const socketFolder = url.searchParams.get('host');
  const relay = await startRelay(
    socketFolder === null
      ? { host: url.hostname, port: Number(url.port) }
      : { path: `${socketFolder}/.s.PGSQL.${url.port === '' ? '5432' : url.port}` },
  );
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(relay.port);
  return { relay, url: url.href };
}
