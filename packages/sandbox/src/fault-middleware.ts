import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { callFaultKinds, type CallFault, type FaultPlan, type StatusFault } from './faults.ts';

/** The body of a `status` fault: text is sent as it is, everything else as JSON. */
export type MakeStatusBody = (fault: StatusFault, target: string) => unknown;

export interface CallFaults {
  readonly take: (target: string, kinds: readonly CallFault['kind'][]) => CallFault | undefined;
  readonly hold: FaultPlan<CallFault>['hold'];
}

/**
 * Applies the planned faults to the calls of a router. Mount it in front of everything else: a fault of the network
 * knows neither keys nor rules. `targetOf` returns the operation that a request means, undefined if none. `makeBody`
 * makes the body of a `status` fault, by default in the shape of the service's errors.
 */
export function applyFaults(
  plan: CallFaults,
  targetOf: (request: Request) => string | undefined,
  makeBody: MakeStatusBody = describeStatusFault,
): RequestHandler {
  return (request, response, next) => {
    const target = targetOf(request);
    const fault = target === undefined ? undefined : plan.take(target, callFaultKinds);
    if (target === undefined || fault === undefined) next();
    else if (fault.kind === 'status') sendStatus(request, response, fault, makeBody(fault, target));
    else {
      response.once(
        'close',
        plan.hold(() => request.socket.destroy()),
      );
      applyFault(fault, request, response, next);
    }
  };
}

function applyFault(
  fault: Exclude<CallFault, StatusFault>,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const { socket } = request;
  switch (fault.kind) {
    case 'latency':
      continueLater(response, fault.ms, next);
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      afterRequest(request, () => socket.destroy());
      return;
    case 'garbage':
      afterRequest(request, () => {
        socket.write(notHttp);
        socket.destroySoon();
      });
      return;
    case 'hang':
      // An unread body would hide that the client leaves.
      request.resume();
      return;
    case 'drop_after':
      holdAnswer(response, dropAnswer);
      break;
    case 'cut':
      holdAnswer(response, cutAnswer);
      break;
    case 'drip':
      holdAnswer(response, (answer) => {
        dripAnswer(answer, fault.ms);
      });
      break;
    default:
      fault satisfies never;
  }
  next();
}

const notHttp = '\u0015\u0003\u0001\u0000\u0002\u0002 this is no HTTP\r\n\r\n';

/** Like a server that refuses without looking at the request: the rest of the body is read and discarded. */
function sendStatus(request: Request, response: Response, fault: StatusFault, body: unknown): void {
  request.resume();
  response.status(fault.status);
  if (fault.retry_after_seconds !== undefined) {
    response.set('Retry-After', String(fault.retry_after_seconds));
  }
  if (typeof body === 'string') response.type('text/plain').send(body);
  else response.json(body);
}

/** The sandbox's own names; the service's codes are unknown. */
const statusCodes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'PAYMENT_REQUIRED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'RATE_LIMITED'],
]);

/** The body of a fault in the observed shape of the service's errors. */
export function describeStatusFault({ status }: StatusFault): {
  readonly code: string;
  readonly message: string;
} {
  const code = statusCodes.get(status) ?? (status >= 500 ? 'SERVER_ERROR' : 'INVALID_REQUEST');
  return { code, message: `A fault that was planned at /_sandbox/faults: ${String(status)}.` };
}

/** Does not continue when the client leaves meanwhile; behind a long unread body that is not seen. */
export function continueLater(peer: Response | Socket, ms: number, next: () => void): void {
  const leave = (): void => {
    clearTimeout(timer);
  };
  const timer = setTimeout(() => {
    peer.off('close', leave);
    next();
  }, ms);
  peer.once('close', leave);
}

/**
 * Runs when the request has been read to its end, never when the client leaves before. The system resets a connection
 * that is closed over unread bytes, and the client may lose what was sent to it last.
 */
function afterRequest(request: IncomingMessage, run: () => void): void {
  if (request.complete) run();
  else request.once('end', run).resume();
}

/** An answer that is complete and not sent. */
interface HeldAnswer {
  readonly response: Response;
  readonly body: Buffer;
  /** The response's own `write` and `end`, which do send. */
  readonly write: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

/** Holds back everything that is written to the response and hands it over when it is complete. The head goes out with the first byte. */
function holdAnswer(response: Response, release: (answer: HeldAnswer) => void): void {
  const pieces: Buffer[] = [];
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const hold = (...given: readonly unknown[]): void => {
    const [piece, encoding] = given;
    if (typeof piece === 'string') pieces.push(Buffer.from(piece, toEncoding(encoding)));
    else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
    const done = given.find((part) => typeof part === 'function');
    if (done !== undefined) process.nextTick(done);
  };
  response.flushHeaders = () => {};
  response.write = (...given: unknown[]): boolean => {
    hold(...given);
    return true;
  };
  response.end = (...given: unknown[]): Response => {
    hold(...given);
    release({ response, body: Buffer.concat(pieces), write, end });
    return response;
  };
}

function toEncoding(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

/** Ends the connection instead of answering. */
function dropAnswer({ response }: HeldAnswer): void {
  afterRequest(response.req, () => response.req.socket.destroy());
}

/** Sends the head, which announces the whole body, and the first half of the body. Without a body, nothing is sent. */
function cutAnswer(answer: HeldAnswer): void {
  const { response, body, write } = answer;
  if (body.length < 2) {
    dropAnswer(answer);
    return;
  }
  afterRequest(response.req, () => {
    announceLength(answer);
    write(body.subarray(0, Math.floor(body.length / 2)));
    response.req.socket.destroySoon();
  });
}

function dripAnswer(answer: HeldAnswer, ms: number): void {
  announceLength(answer);
  drip(answer.response, ms, answer.body, answer.write, answer.end);
}

/** Sends the bytes one by one, each after `ms` milliseconds, until the client leaves. */
export function drip(
  peer: Response | Socket,
  ms: number,
  bytes: Buffer,
  write: (byte: Uint8Array) => void,
  end: () => void,
): void {
  const sendFrom = (at: number): void => {
    if (at >= bytes.length) {
      end();
      return;
    }
    write(bytes.subarray(at, at + 1));
    timer = setTimeout(sendFrom, ms, at + 1);
  };
  let timer = setTimeout(sendFrom, ms, 0);
  peer.once('close', () => {
    clearTimeout(timer);
  });
}

/** A head that is not sent yet announces the length of the body. */
function announceLength({ response, body }: HeldAnswer): void {
  if (!response.headersSent && body.length > 0) response.setHeader('Content-Length', body.length);
}
