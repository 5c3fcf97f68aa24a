import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server in front of another one that can fall silent: it goes on listening and answers nothing. */
export interface Relay {
  readonly port: number;
  mute(): void;
  close(): Promise<void>;
}

export async function startRelay(target: { readonly host: string; readonly port: number }): Promise<Relay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    return socket;
  };
  let isMute = false;
  const server = createServer((near) => {
    const far = keep(connect(target.port, target.host));
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
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
