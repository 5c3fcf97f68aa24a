import { afterRequest } from './after-request.ts';
import type { HeldAnswer } from './hold-answer.ts';

/** Ends the connection in place of the answer. */
export function dropAnswer({ response }: HeldAnswer): void {
  afterRequest(response.req, () => response.req.socket.destroy());
}

/** Sends the head, which announces the whole body, and the first half of that. Where there is no body, nothing is sent. */
export function breakOffAnswer(answer: HeldAnswer): void {
  const { response, body, write } = answer;
  const half = body.subarray(0, Math.max(1, Math.floor(body.length / 2)));
  if (body.length < 2) dropAnswer(answer);
  else {
    afterRequest(response.req, () => {
      announce(answer);
      write(half);
      response.req.socket.destroySoon();
    });
  }
}

/** Sends the body byte by byte, each after `ms` milliseconds, until the client leaves. */
export function dripAnswer(answer: HeldAnswer, ms: number): void {
  const { response, body, write, end } = answer;
  let timer: NodeJS.Timeout | undefined;
  const sendFrom = (at: number): void => {
    if (at >= body.length) {
      end();
      return;
    }
    write(body.subarray(at, at + 1));
    timer = setTimeout(sendFrom, ms, at + 1);
  };
  announce(answer);
  timer = setTimeout(sendFrom, ms, 0);
  response.once('close', () => {
    clearTimeout(timer);
  });
}

/** Where the head does not say how the body is to come, it tells its length. */
function announce({ response, body }: HeldAnswer): void {
  if (!response.headersSent && body.length > 0) response.setHeader('Content-Length', body.length);
}
