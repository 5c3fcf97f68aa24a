import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port on 127.0.0.1, below those that the system hands out (32768 on Linux): between this
 * answer and the start of a server no connection and no listener without a port of its own can get it.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 32000');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
