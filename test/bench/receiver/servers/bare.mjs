// The floor: reads a request to its end and answers 200.
import { createServer } from 'node:http';

import { listen } from './listen.mjs';

export async function start() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 11 });
      response.end('{"ok":true}');
    });
  });
  return { port: await listen(server) };
}
