import type { IncomingMessage, ServerResponse } from 'node:http';

const healthPath = /^\/healthz\/?(?:\?|$)/i;
const body = '{"status":"ok"}';
const head = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length)];

/** Says that the process is alive, to anybody and as often as anybody asks: so it must cost next to nothing. */
export function answerHealth(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, head);
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function asksForHealth({ method }: IncomingMessage, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && healthPath.test(path);
}
