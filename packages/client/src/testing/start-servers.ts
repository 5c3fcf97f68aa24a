import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** Servers on 127.0.0.1 for one test file, closed together. */
export interface TestServers {
  /** The base address of a new server. */
  start(answer: AnswerRequest): Promise<string>;
  /** Also ends connections that hang. */
  stopAll(): Promise<void>;
}

export function createTestServers(): TestServers {
  const stops: (() => Promise<void>)[] = [];
  return {
    async start(answer) {
      const server = createServer(answer);
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      stops.push(
        () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      );
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no port');
      return `http://127.0.0.1:${address.port}`;
    },
    async stopAll() {
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
  };
}
