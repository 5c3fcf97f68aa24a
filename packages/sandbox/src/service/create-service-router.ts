import { listOperations } from '@aftermeet/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { isRightApiKey } from './check-api-key.ts';
import { playOperation } from './play-operation.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { answerError, type ServiceAnswer } from './service-answer.ts';

/** Every operation of the contract at its own method and path, behind the API key. */
export function createServiceRouter(world: SandboxWorld, apiKey: string): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    if (isRightApiKey(request.get('x-api-key'), apiKey)) next();
    else sendAnswer(response, answerError(401, 'UNAUTHORIZED', 'Send the API key in the header X-API-KEY.'));
  });
  router.use(express.json({ limit: '1mb' }));
  for (const operation of listOperations()) {
    router.all(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (request, response, next) => {
      if (request.method !== operation.method) {
        next();
        return;
      }
      const { params: path, query, body } = request as Request<Record<string, string>, unknown, unknown>;
      sendAnswer(response, playOperation(operation, world, { path, query, body, form: undefined }));
    });
  }
  router.use((_request, response) => {
    sendAnswer(
      response,
      answerError(404, 'NOT_FOUND', 'No operation of the service has this method and path.'),
    );
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const refusal = describeBodyFault(error);
    if (refusal === undefined) next(error);
    else sendAnswer(response, refusal);
  });
  return router;
}

function sendAnswer(response: Response, answer: ServiceAnswer): void {
  response.status(answer.status);
  if ('text' in answer) response.type('text/plain').send(answer.text);
  else response.json(answer.json);
}

/** The faults a body parser reports, in the service's shape. */
function describeBodyFault(error: unknown): ServiceAnswer | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return answerError(413, 'BODY_TOO_LARGE', 'The body must be at most 1 MiB of JSON.');
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return answerError(400, 'INVALID_REQUEST', 'The body must be JSON in UTF-8.');
}
