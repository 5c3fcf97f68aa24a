import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Starts a proxy that adds the key to every request and changes nothing else: some judges can't send a header. */
export async function withKeyProxy(url, apiKey, use) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` };
    const onward = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    return await use(`http://127.0.0.1:${String(proxy.address().port)}`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}
