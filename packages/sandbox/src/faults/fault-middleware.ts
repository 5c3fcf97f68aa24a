import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { afterRequest } from './after-request.ts';
import { breakOffAnswer, dripAnswer, dropAnswer } from './break-answer.ts';
import { describeStatusFault } from './describe-status-fault.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { CallFault, StatusFault } from './fault.ts';
import { holdAnswer } from './hold-answer.ts';

/** What the answer of a `status` fault says: text is sent as it is, everything else as JSON. */
export type MakeFaultBody = (fault: StatusFault, target: string) => unknown;

/**
 * Plays the planned faults on the calls of a router: in front of everything else, because the network's faults know
 * neither keys nor rules. `nameTarget` tells which operation a request means; undefined: none. `makeBody` makes
 * the body of a `status` fault; by default it is the service's observed one.
 */
export function playFaults(
  plan: Pick<FaultPlan<CallFault>, 'take' | 'hold'>,
  nameTarget: (request: Request) => string | undefined,
  makeBody: MakeFaultBody = describeStatusFault,
): RequestHandler {
  return (request, response, next) => {
    const target = nameTarget(request);
    const fault = target === undefined ? undefined : plan.take(target);
    if (target === undefined || fault === undefined) next();
    else if (fault.kind === 'status') refuse(request, response, fault, makeBody(fault, target));
    else {
      const over = plan.hold(() => request.socket.destroy());
      response.once('close', over);
      playFault(fault, request, response, next);
    }
  };
}

function playFault(
  fault: Exclude<CallFault, StatusFault>,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const { socket } = request;
  switch (fault.kind) {
    case 'latency':
      goOnLater(response, fault.ms, next);
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
      // Unread, it would hide that its sender leaves.
      request.resume();
      return;
    case 'drop_after':
      holdAnswer(response, dropAnswer);
      break;
    case 'cut':
      holdAnswer(response, breakOffAnswer);
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

/** Like a service that refuses without looking at the request: what is left of that is read and thrown away. */
function refuse(request: Request, response: Response, fault: StatusFault, body: unknown): void {
  request.resume();
  response.status(fault.status);
  if (fault.retry_after_seconds !== undefined) {
    response.set('Retry-After', String(fault.retry_after_seconds));
  }
  if (typeof body === 'string') response.type('text/plain').send(body);
  else response.json(body);
}

/** Not at all, when the client is seen to leave meanwhile: behind a long body that nobody has read yet it is not. */
function goOnLater(response: Response, ms: number, next: NextFunction): void {
  const leave = (): void => {
    clearTimeout(timer);
  };
  const timer = setTimeout(() => {
    response.off('close', leave);
    next();
  }, ms);
  response.once('close', leave);
}
