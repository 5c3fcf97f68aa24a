import express, { type Router } from 'express';

import { sendRefusal } from '../service/control/control-answers.ts';
import type { KnobBox } from './knob-box.ts';

/** The control routes of knobs, to be mounted behind the guard: read, turn some, back to the start. */
export function createKnobRouter(box: Pick<KnobBox<object>, 'read' | 'order' | 'reset'>): Router {
  const router = express.Router();
  router.use(express.json());
  router.get('/', (_request, response) => {
    response.json({ knobs: box.read() });
  });
  router.patch('/', (request, response) => {
    const outcome = box.order(request.body);
    if ('refusal' in outcome) sendRefusal(response, outcome.refusal);
    else response.json({ knobs: outcome.knobs });
  });
  router.delete('/', (_request, response) => {
    box.reset();
    response.json({ knobs: box.read() });
  });
  return router;
}
