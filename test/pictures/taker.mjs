// Somebody's own server on this machine, that takes what is posted to it.
import { once } from 'node:events';
import { createServer } from 'node:http';

export async function startTaker() {
  const arrivals = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      arrivals.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/meetings`,
    arrivals,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
