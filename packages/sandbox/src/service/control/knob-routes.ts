import type { Router } from 'express';
import { z } from 'zod';

import { readKnobs } from '../knobs/read-knobs.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { readControlBody, sendDone, sendRefusal } from './control-answers.ts';

const changesSchema = z.record(z.string(), z.unknown());

/** `/_sandbox/knobs`: what plays another service. */
export function addKnobRoutes(router: Router, { knobs }: SandboxWorld): void {
  router.get('/knobs', (_request, response) => {
    response.json({ knobs: knobs.read() });
  });
  router.patch('/knobs', (request, response) => {
    const changes = readControlBody(request, response, changesSchema);
    if (changes === undefined) return;
    const reading = readKnobs({ ...knobs.read(), ...changes });
    if (!reading.ok) sendRefusal(response, reading.message);
    else {
      knobs.turn(changes);
      sendDone(request, response, { knobs: knobs.read() });
    }
  });
  router.delete('/knobs', (request, response) => {
    knobs.reset();
    sendDone(request, response, { knobs: knobs.read() });
  });
}
