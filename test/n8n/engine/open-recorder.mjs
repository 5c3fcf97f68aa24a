// Stands before a sandbox and notes every request as it arrived; changes nothing.
import { createServer, request as send } from 'node:http';

/** `requests` are in the order in which they were complete. */
export async function openRecorder(target) {
  const { hostname, port } = new URL(target);
  const requests = [];
  const server = createServer((incoming, response) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url, rawHeaders, headers } = incoming;
      const body = Buffer.concat(chunks);
      requests.push({ method, url, rawHeaders, headers, body });
      // Each on a connection of its own: what a proxy keeps open is no part of the proof.
      const onward = send({ hostname, port, path: url, method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close };
}
