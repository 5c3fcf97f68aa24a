import type { Router } from 'express';

import type { SandboxWorld } from '../sandbox-world.ts';
import { sendDone, sendUnknown } from './control-answers.ts';

const noSuchDelivery = 'No delivery has this id; GET /_sandbox/deliveries lists them.';

/** `/_sandbox/deliveries`: the log, one of it with what was sent, and sending one again. */
export function addDeliveryRoutes(router: Router, world: SandboxWorld): void {
  router.get('/deliveries', (_request, response) => {
    response.json({ deliveries: world.sender.list() });
  });
  router.get('/deliveries/:id', (request, response) => {
    const delivery = world.sender.find(request.params.id);
    if (delivery === undefined) sendUnknown(response, noSuchDelivery);
    else response.json({ delivery });
  });
  router.post('/deliveries/:id/redeliver', (request, response) => {
    if (world.sender.redeliver(request.params.id))
      sendDone(request, response, { delivery_id: request.params.id });
    else sendUnknown(response, noSuchDelivery);
  });
}
