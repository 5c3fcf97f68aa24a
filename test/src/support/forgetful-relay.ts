import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a mail server that is cut at the worst moment. */
export interface ForgetfulRelay {
  /** `host:port`. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Hands on everything but the server's answer to the first final dot: there it hangs up. */
export async function startForgetfulRelay(target: string): Promise<ForgetfulRelay> {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let dots = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    let end = '';
    let isDotted = false;
    near.on('data', (chunk) => {
      end = (end + chunk.toString('latin1')).slice(-5);
      if (end === '\r\n.\r\n') {
        dots += 1;
        isDotted = true;
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isDotted && dots === 1) near.destroy();
      else near.write(chunk);
    });
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
