import type { Router } from 'express';

import type { SandboxWorld } from '../sandbox-world.ts';
import { seedMeetings } from '../seed/seed-meetings.ts';
import { seedSchema } from '../seed/seed-options.ts';
import { readControlBody, sendDone } from './control-answers.ts';

/** `/_sandbox/seed`: finished meetings of the last days. */
export function addSeedRoutes(router: Router, world: SandboxWorld): void {
  router.post('/seed', (request, response) => {
    const plan = readControlBody(request, response, seedSchema);
    if (plan === undefined) return;
    const { meetingIds, tagIds } = seedMeetings(world, plan);
    sendDone(request, response, { meeting_ids: meetingIds, tag_ids: tagIds });
  });
}
