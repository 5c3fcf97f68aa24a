import type { Connection } from '../http.ts';
import { makeConnection } from './make-connection.ts';

export interface FakeService {
  readonly connection: Connection;
  /** Such as `GET /api/meeting/status?meeting_id=m`, with the body behind a blank. */
  readonly asked: readonly string[];
}

/** A service without a network: answers with text, or with anything else as JSON. */
export function createFakeService(
  answer: (query: URLSearchParams, count: number) => unknown,
  changes: Partial<Connection> = {},
): FakeService {
  const asked: string[] = [];
  const connection = makeConnection('http://127.0.0.1:9', {
    fetch: async (url, init) => {
      if (!(url instanceof URL)) throw new TypeError('the client asks by URL');
      const body = typeof init?.body === 'string' ? ` ${init.body}` : '';
      asked.push(`${init?.method} ${url.pathname}${url.search}${body}`);
      const answered = answer(url.searchParams, asked.length);
      return new Response(typeof answered === 'string' ? answered : JSON.stringify(answered));
    },
    ...changes,
  });
  return { connection, asked };
}
