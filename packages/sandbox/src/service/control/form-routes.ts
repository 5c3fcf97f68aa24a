import type { Request, Response, Router } from 'express';
import { z } from 'zod';

import type { SandboxWorld } from '../sandbox-world.ts';
import { commonCallFaults, commonDeliveryFaults } from './common-faults.ts';
import { readControlBody, sendDone, sendRefusal, sendUnknown } from './control-answers.ts';
import { formNumber } from './form-fields.ts';

const faultSchema = z.strictObject({
  /** A name of `common-faults.ts`. */
  fault: z.string(),
  on: z.string().optional(),
  /** Empty: until it is taken back. */
  times: z
    .union([z.literal('').transform(() => null), z.null(), formNumber], {
      error: 'must be a whole number, or empty for as often as it can happen',
    })
    .optional(),
});

/** What the page's forms need besides the routes for programs: a form can only POST, and all its fields are text. */
export function addFormRoutes(router: Router, world: SandboxWorld): void {
  const { callFaults, deliveryFaults, knobs } = world;
  router.post('/faults/common', (request, response) => {
    const body = readControlBody(request, response, faultSchema);
    if (body !== undefined) orderFault(world, body, request, response);
  });
  router.post('/faults/clear', (request, response) => {
    callFaults.clear();
    deliveryFaults.clear();
    sendDone(request, response, { status: 'ok' });
  });
  router.post('/faults/:id/remove', (request, response) => {
    const { id } = request.params;
    if (callFaults.remove(id) || deliveryFaults.remove(id)) sendDone(request, response, { status: 'ok' });
    else sendUnknown(response, 'No fault has this id; it may have been taken back already.');
  });
  router.post('/knobs/reset', (request, response) => {
    knobs.reset();
    sendDone(request, response, { knobs: knobs.read() });
  });
}

function orderFault(
  { callFaults, deliveryFaults }: SandboxWorld,
  { fault: name, ...aim }: z.output<typeof faultSchema>,
  request: Request,
  response: Response,
): void {
  const ofCall = commonCallFaults.find((common) => common.name === name);
  const common = ofCall ?? commonDeliveryFaults.find((other) => other.name === name);
  if (common === undefined) {
    const names = [...commonCallFaults, ...commonDeliveryFaults].map((known) => known.name);
    sendRefusal(response, `fault: must be one of ${names.join(', ')}.`);
    return;
  }
  const outcome = (ofCall === undefined ? deliveryFaults : callFaults).order({ ...common.order, ...aim });
  if ('refusal' in outcome) sendRefusal(response, outcome.refusal);
  else sendDone(request, response, { id: outcome.planned.id });
}
