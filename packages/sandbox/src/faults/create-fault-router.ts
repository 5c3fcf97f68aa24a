import express, { type Router } from 'express';

import { sendRefusal, sendUnknown } from '../service/control/control-answers.ts';
import { refuseUnreadBody } from '../web/refuse-unread-body.ts';
import type { Aimed, FaultPlan, PlannedFault } from './fault-plan.ts';
import { readKind, refuseKind } from './read-fault-order.ts';

/** What the control routes use of a plan, whatever its faults are. */
type SteeredPlan = Pick<FaultPlan<Aimed>, 'kinds' | 'list' | 'remove' | 'clear' | 'order'>;

/** The control routes of faults: list, add one, take back one or all. Whoever mounts them guards them and says what a broken body is. */
export function createFaultRouter(plans: readonly SteeredPlan[]): Router {
  const router = express.Router();
  const listAll = (): object => ({ faults: plans.flatMap((plan) => plan.list()).map(describe) });
  router.use(express.json(), ...refuseUnreadBody);
  router.get('/', (_request, response) => {
    response.json(listAll());
  });
  router.post('/', (request, response) => {
    const body: unknown = request.body;
    const plan = plans.find(({ kinds }) => kinds.includes(readKind(body) ?? ''));
    const outcome = plan?.order(body) ?? refuseKind(plans.flatMap(({ kinds }) => kinds));
    if ('refusal' in outcome) sendRefusal(response, outcome.refusal);
    else response.status(201).json({ fault: describe(outcome.planned) });
  });
  router.delete('/', (_request, response) => {
    for (const plan of plans) plan.clear();
    response.json(listAll());
  });
  router.delete('/:id', (request, response) => {
    if (plans.some((plan) => plan.remove(request.params.id))) response.json(listAll());
    else sendUnknown(response, 'No fault has this id.');
  });
  return router;
}

function describe({ id, fault, happened }: PlannedFault<Aimed>): object {
  return { id, ...fault, happened };
}
