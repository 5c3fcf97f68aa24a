import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ScriptedAnswer {
  readonly status?: number;
  /** Text as it is, everything else as JSON. */
  readonly body?: unknown;
}

export interface ScriptedService {
  readonly url: string;
  /** `GET /path?query`, in order. */
  readonly asked: readonly string[];
  readonly bodies: readonly string[];
  readonly stop: () => Promise<void>;
}

/** A service that answers what a test wants, for what the sandbox does not do. */
export async function startScriptedService(
  answer: (query: URLSearchParams, index: number) => ScriptedAnswer,
): Promise<ScriptedService> {
  const asked: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const index = asked.push(`${request.method} ${request.url}`) - 1;
    void text(request).then((sent) => {
      bodies.push(sent);
      const { searchParams } = new URL(request.url ?? '/', 'http://service');
      const { status = 200, body } = answer(searchParams, index);
      const isText = typeof body === 'string' || body === undefined;
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    bodies,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
