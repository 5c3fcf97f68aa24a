import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

import { listOperations } from '@aftermeet/contract';
import { describeFields } from '@aftermeet/contract/openapi';

/** An operation that passed, and whether it was answered with 2xx. */
interface SeenOperation {
  readonly id: string;
  readonly ok: boolean;
}

export interface OperationRecorder {
  readonly url: string;
  readonly seen: () => readonly SeenOperation[];
  readonly forget: () => void;
  readonly close: () => void;
}

const patterns = listOperations().map((operation) => ({
  id: operation.id,
  method: operation.method,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  query: new Set(
    describeFields(operation)
      .filter(({ place, isObserved }) => place === 'query' && !isObserved)
      .map(({ name }) => name),
  ),
}));

/**
 * Stands between a client and a service, passes everything on and writes down which operations went by. As a strict
 * service it answers 400 to query parameters that the specification does not show.
 */
export async function startOperationRecorder(target: string): Promise<OperationRecorder> {
  let seen: SeenOperation[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', target);
    const operation = patterns.find(
      ({ method, pattern }) => method === request.method && pattern.test(pathname),
    );
    const unknown = [...searchParams.keys()].find((name) => operation?.query.has(name) === false);
    if (unknown !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `unknown query parameter ${unknown}` }));
      return;
    }
    const onward = send(
      new URL(request.url ?? '/', target),
      {
        method: request.method,
        headers: { ...request.headers, host: new URL(target).host },
      },
      (answer) => {
        const status = answer.statusCode ?? 502;
        if (operation !== undefined) seen.push({ id: operation.id, ok: status >= 200 && status < 300 });
        response.writeHead(status, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    seen: () => seen,
    forget() {
      seen = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
