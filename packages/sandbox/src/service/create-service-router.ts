import type { OperationId } from '@aftermeet/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { describeStatusFault } from '../faults/describe-status-fault.ts';
import { playFaults } from '../faults/fault-middleware.ts';
import type { StatusFault } from '../faults/fault.ts';
import { guardCall } from './account/guard-call.ts';
import { readJsonBody, refuseLongBody } from './knobs/requests/read-json-body.ts';
import { readVersion } from './knobs/requests/read-version.ts';
import { shapeAnswer } from './knobs/shape-answer.ts';
import { shapeRequest } from './knobs/shape-request.ts';
import { nameOperation } from './name-operation.ts';
import { players, type Player, type WireRequest } from './play-operation.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { sendAnswer } from './send-answer.ts';
import { answerError, type ServiceAnswer } from './service-answer.ts';
import { DataFolderError } from './state/data-folder-error.ts';
import { receiveForm } from './uploads/receive-form.ts';

/** Every operation of the contract at its own method and path, behind the API key; the faults of its calls in front of that. */
export function createServiceRouter(world: SandboxWorld): Router {
  const router = express.Router();
  router.use((request, _response, next) => {
    request.url = readVersion(request.url, world.knobs.read().apiVersions);
    next();
  });
  router.use(
    playFaults(
      world.callFaults,
      ({ method, path }) => nameOperation(method, path),
      (fault) => describeFault(world, fault),
    ),
  );
  router.use((request, response, next) => {
    const answer = guardCall(world, request.get('x-api-key'), nameOperation(request.method, request.path));
    if (answer === undefined) next();
    else send(world, response, undefined, answer);
  });
  router.use(readJsonBody(world.knobs));
  for (const player of Object.values<Player<OperationId>>(players)) {
    const { id, method, path, params } = player.operation;
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.all(route, async (request, response, next) => {
      if (request.method !== method) next();
      else {
        const answer =
          params.form === undefined
            ? await play(world, player, readWire(request), response)
            : await playForm(world, player, request, response);
        const { meeting_id: meetingId } = request.query;
        send(world, response, id, answer, typeof meetingId === 'string' ? meetingId : undefined);
      }
    });
  }
  router.use((_request, response) => {
    const answer = answerError(404, 'NOT_FOUND', 'No operation of the service has this method and path.');
    send(world, response, undefined, answer);
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const refusal = describeRequestFault(error, world.knobs.read().maxBodyBytes);
    if (refusal === undefined) next(error);
    else send(world, response, undefined, refusal);
  });
  return router;
}

function send(
  world: SandboxWorld,
  response: Response,
  id: OperationId | undefined,
  answer: ServiceAnswer,
  meetingId?: string,
): void {
  sendAnswer(response, shapeAnswer(id, answer, world.knobs.read(), meetingId));
}

/** An error as the service that the knobs describe would say it. */
function describeFault(world: SandboxWorld, fault: StatusFault): unknown {
  const { code, message } = describeStatusFault(fault);
  const answer = shapeAnswer(undefined, answerError(fault.status, code, message), world.knobs.read());
  return 'text' in answer ? answer.text : 'json' in answer ? answer.json : message;
}

async function play(
  world: SandboxWorld,
  player: Player<OperationId>,
  wire: WireRequest,
  response: Response,
): Promise<ServiceAnswer> {
  const shaped = shapeRequest(player.operation.id, wire, world.knobs.read());
  return 'answer' in shaped
    ? shaped.answer
    : world.life.follow(response, () => player.play(world, shaped.wire));
}

const faultStatuses = {
  request: { status: 400, code: 'INVALID_REQUEST' },
  reset: { status: 503, code: 'SANDBOX_RESET' },
  storage: { status: 500, code: 'STORAGE_FAILED' },
} as const;

/** The file part goes to the disk while it comes in; what the operation does not keep is removed. */
async function playForm(
  world: SandboxWorld,
  player: Player<OperationId>,
  request: Request,
  response: Response,
): Promise<ServiceAnswer> {
  const reading = await receiveForm(request, world.uploads.claimPlace);
  if (!reading.ok) {
    const { status, code } = faultStatuses[reading.cause];
    return answerError(status, code, reading.message);
  }
  try {
    return await play(world, player, { ...readWire(request), form: reading.form }, response);
  } finally {
    await reading.form.discard();
  }
}

function readWire({ params: path, query, body }: Request): WireRequest {
  return { path, query, body, form: undefined };
}

/** The faults that Express, its body parser and the data folder report, in the service's shape. */
function describeRequestFault(error: unknown, maxBodyBytes: number): ServiceAnswer | undefined {
  if (error instanceof URIError) {
    return answerError(400, 'INVALID_REQUEST', 'The path must be percent-encoded UTF-8.');
  }
  if (error instanceof DataFolderError) return answerError(500, 'STORAGE_FAILED', error.message);
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return refuseLongBody(maxBodyBytes);
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return answerError(400, 'INVALID_REQUEST', 'The body must be JSON in UTF-8.');
}
