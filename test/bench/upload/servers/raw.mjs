// The least that a server can do which keeps what it is sent: the body of every request goes to a file of its own
// and through one SHA-256. `/end` ends the file.
import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export function start(folder) {
  let hash = createHash('sha256');
  let paths = [];
  async function receive(request, response) {
    if (request.url === '/end') {
      const sha256 = hash.digest('hex');
      for (const path of paths) rmSync(path);
      hash = createHash('sha256');
      paths = [];
      response.end(sha256);
      return;
    }
    const path = join(folder, `${paths.length}.part`);
    paths.push(path);
    request.on('data', (piece) => hash.update(piece));
    await pipeline(request, createWriteStream(path));
    response.end();
  }
  const server = createServer((request, response) => void receive(request, response));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}
