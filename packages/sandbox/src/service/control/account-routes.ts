import type { Router } from 'express';
import { z } from 'zod';

import { keyPattern } from '../account/account.ts';
import { planNames, type Plan } from '../account/plan.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { readControlBody, sendDone } from './control-answers.ts';
import { formNumber } from './form-fields.ts';

const keySchema = z.strictObject({
  key: z.string().regex(keyPattern, { error: 'must be 1 to 200 visible ASCII characters' }).optional(),
});

const planSchema = z.strictObject({
  plan: z.enum(planNames),
  minutes_left: z
    .union([z.null(), formNumber.refine((minutes) => Number.isSafeInteger(minutes) && minutes >= 0)], {
      error: 'must be a whole number of minutes, or null for as many as one likes',
    })
    .optional(),
});

/** `/_sandbox/key` and `/_sandbox/plan`: what the workspace may do. */
export function addAccountRoutes(router: Router, { account }: SandboxWorld): void {
  router.post('/key', (request, response) => {
    const change = readControlBody(request, response, keySchema);
    if (change !== undefined) sendDone(request, response, { key: account.changeKey(change.key) });
  });
  router.get('/plan', (_request, response) => {
    response.json(describePlan(account.plan()));
  });
  router.post('/plan', (request, response) => {
    const change = readControlBody(request, response, planSchema);
    if (change === undefined) return;
    const { plan: name, minutes_left: minutesLeft = account.plan().minutesLeft } = change;
    account.changePlan({ name, minutesLeft });
    sendDone(request, response, describePlan(account.plan()));
  });
}

function describePlan({ name, minutesLeft }: Plan): object {
  return { plan: name, minutes_left: minutesLeft };
}
