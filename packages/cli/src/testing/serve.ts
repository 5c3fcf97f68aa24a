import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface TestService {
  readonly url: string;
  /** Of every request: method, path with query, and body. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** A server that answers as it is told, for what no sandbox would do. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<TestService> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      requests.push([request.method, request.url, body].filter((part) => part !== '').join(' '));
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
