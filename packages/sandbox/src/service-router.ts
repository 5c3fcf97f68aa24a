import type { OperationId } from '@aftermeet/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';

import { refuseCall } from './account.ts';
import type { AppState } from './app-state.ts';
import { applyFaults, describeStatusFault } from './fault-middleware.ts';
import type { StatusFault } from './faults.ts';
import { findOperationId, handlers, type Handler, type WireRequest } from './handlers/handlers.ts';
import { answerError, sendAnswer, shapeAnswer, type ServiceAnswer } from './service-answer.ts';
import { receiveForm } from './uploads/receive-form.ts';
import { describeRequestFault } from './web/guards.ts';

/** Every operation of the contract at its method and path, after the faults of calls and the API key. */
export function createServiceRouter(app: AppState): Router {
  const send = (response: Response, answer: ServiceAnswer): void => {
    sendAnswer(response, answer, app.options.get());
  };
  const router = express.Router();
  router.use(
    applyFaults(
      app.faults,
      ({ method, path }) => findOperationId(method, path),
      (fault) => describeFault(app, fault),
    ),
  );
  router.use((request, response, next) => {
    const operation = findOperationId(request.method, request.path);
    const refusal = refuseCall(app.account, request.get('x-api-key'), operation);
    if (refusal === undefined) next();
    else send(response, refusal);
  });
  router.use(express.json({ limit: '1mb' }));
  for (const handler of Object.values<Handler<OperationId>>(handlers)) {
    const { method, path } = handler.operation;
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response, next) => {
      if (request.method !== method) next();
      else send(response, await handle(app, handler, request, response));
    });
  }
  router.use((_request, response) => {
    send(response, answerError(404, 'NOT_FOUND', 'No operation of the service has this method and path.'));
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    const fault = describeRequestFault(error, '1 MiB of JSON');
    if (fault === undefined) next(error);
    else {
      const code = fault.status === 413 ? 'BODY_TOO_LARGE' : 'INVALID_REQUEST';
      send(response, answerError(fault.status, code, fault.message));
    }
  });
  return router;
}

async function handle(
  app: AppState,
  handler: Handler<OperationId>,
  request: Request,
  response: Response,
): Promise<ServiceAnswer> {
  // What the call plans for a meeting happens after its answer.
  const forCall = { ...app, lifecycle: app.lifecycle.forCall(response) };
  const { params: path, query, body } = request;
  const wire: WireRequest = { path, query, body, form: undefined };
  if (handler.operation.params.form === undefined) return handler.handle(forCall, wire);
  const received = await receiveForm(request, app.uploads.claimFile);
  if (!received.ok) {
    const { status, code } = formFaults[received.cause];
    return answerError(status, code, received.message);
  }
  try {
    return await handler.handle(forCall, { ...wire, form: received.form });
  } finally {
    await received.form.discard();
  }
}

const formFaults = {
  request: { status: 400, code: 'INVALID_REQUEST' },
  reset: { status: 503, code: 'SANDBOX_RESET' },
  storage: { status: 500, code: 'STORAGE_FAILED' },
} as const;

/** The body of a planned status fault, in the shape that the options give to errors. */
function describeFault(app: AppState, fault: StatusFault): unknown {
  const { code, message } = describeStatusFault(fault);
  const answer = shapeAnswer(answerError(fault.status, code, message), app.options.get());
  return 'text' in answer ? answer.text : 'json' in answer ? answer.json : message;
}
