import type { Router } from 'express';
import { z } from 'zod';

import { clockLimits } from '../clock/clock-limits.ts';
import { refuseAdvance } from '../life/advance-clock.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { readControlBody, sendDone, sendRefusal } from './control-answers.ts';
import { formFlag, formNumber } from './form-fields.ts';

const longestSeconds = clockLimits.longestAdvanceMs / 1000;

const changeSchema = z.strictObject({
  advance_seconds: formNumber
    .refine((seconds) => seconds >= 0 && seconds <= longestSeconds, {
      error: `must be 0 to ${String(longestSeconds)} (a year); call several times for more`,
    })
    .optional(),
  time_scale: formNumber
    .refine((scale) => scale > 0 && scale <= clockLimits.longestScale, {
      error: `must be above 0, at most ${String(clockLimits.longestScale)}`,
    })
    .optional(),
  frozen: formFlag.optional(),
});

/** `/_sandbox/clock`: the sandbox's own time. Whatever becomes due while it is moved on has happened before the answer. */
export function addClockRoutes(router: Router, world: SandboxWorld): void {
  router.get('/clock', (_request, response) => {
    response.json(describeClock(world));
  });
  router.post('/clock', (request, response) => {
    const change = readControlBody(request, response, changeSchema);
    if (change === undefined) return;
    const { advance_seconds: seconds, time_scale: timeScale, frozen: isFrozen } = change;
    const refusal = seconds === undefined ? undefined : refuseAdvance(world, seconds * 1000);
    if (refusal !== undefined) {
      sendRefusal(response, refusal);
      return;
    }
    world.clock.change({ timeScale, isFrozen });
    if (seconds !== undefined) world.clock.advance(seconds * 1000);
    sendDone(request, response, describeClock(world));
  });
}

function describeClock({ clock, life }: SandboxWorld): object {
  const { nowMs, timeScale, isFrozen } = clock.describe();
  return {
    now: new Date(nowMs).toISOString(),
    time_scale: timeScale,
    frozen: isFrozen,
    transitions: life.transitions,
  };
}
