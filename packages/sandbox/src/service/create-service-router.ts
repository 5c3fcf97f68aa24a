import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { isRightApiKey } from './check-api-key.ts';
import { players, type Player, type WireRequest } from './play-operation.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { sendAnswer } from './send-answer.ts';
import { answerError, type ServiceAnswer } from './service-answer.ts';
import { receiveForm } from './uploads/receive-form.ts';

/** Every operation of the contract at its own method and path, behind the API key. */
export function createServiceRouter(world: SandboxWorld, apiKey: string): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    if (isRightApiKey(request.get('x-api-key'), apiKey)) next();
    else sendAnswer(response, answerError(401, 'UNAUTHORIZED', 'Send the API key in the header X-API-KEY.'));
  });
  router.use(express.json({ limit: '1mb' }));
  for (const player of Object.values<Player>(players)) {
    const { method, path, params } = player.operation;
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response, next) => {
      if (request.method !== method) next();
      else if (params.form !== undefined) sendAnswer(response, await playForm(world, player, request));
      else sendAnswer(response, await player.play(world, readWire(request)));
    });
  }
  router.use((_request, response) => {
    sendAnswer(
      response,
      answerError(404, 'NOT_FOUND', 'No operation of the service has this method and path.'),
    );
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const refusal = describeRequestFault(error);
    if (refusal === undefined) next(error);
    else sendAnswer(response, refusal);
  });
  return router;
}

const faultStatuses = {
  request: { status: 400, code: 'INVALID_REQUEST' },
  reset: { status: 503, code: 'SANDBOX_RESET' },
  storage: { status: 500, code: 'STORAGE_FAILED' },
} as const;

/** The file part goes to the disk while it comes in; what the operation does not keep is removed. */
async function playForm(world: SandboxWorld, player: Player, request: Request): Promise<ServiceAnswer> {
  const reading = await receiveForm(request, world.uploads.claimPlace);
  if (!reading.ok) {
    const { status, code } = faultStatuses[reading.cause];
    return answerError(status, code, reading.message);
  }
  try {
    return await player.play(world, { ...readWire(request), form: reading.form });
  } finally {
    await reading.form.discard();
  }
}

function readWire({ params: path, query, body }: Request): WireRequest {
  return { path, query, body, form: undefined };
}

/** The faults that Express and its body parser report, in the service's shape. */
function describeRequestFault(error: unknown): ServiceAnswer | undefined {
  if (error instanceof URIError) {
    return answerError(400, 'INVALID_REQUEST', 'The path must be percent-encoded UTF-8.');
  }
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return answerError(413, 'BODY_TOO_LARGE', 'The body must be at most 1 MiB of JSON.');
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return answerError(400, 'INVALID_REQUEST', 'The body must be JSON in UTF-8.');
}
