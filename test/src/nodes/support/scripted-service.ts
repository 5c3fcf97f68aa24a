import { serve } from './serve.ts';

interface ScriptedAnswer {
  readonly status?: number;
  /** Text as it is, everything else as JSON. */
  readonly body?: unknown;
}

interface ScriptedService {
  readonly url: string;
  /** `GET /path?query`, in order. */
  readonly asked: readonly string[];
}

/** A service that answers what a test wants, for what the sandbox does not do. Ends with the test. */
export async function startScriptedService(
  answer: (query: URLSearchParams, index: number) => ScriptedAnswer,
): Promise<ScriptedService> {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const index = asked.push(`${request.method} ${request.url}`) - 1;
    const { searchParams } = new URL(request.url ?? '/', 'http://service');
    const { status = 200, body } = answer(searchParams, index);
    const isText = typeof body === 'string' || body === undefined;
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  });
  return { url, asked };
}
