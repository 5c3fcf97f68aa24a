import { randomUUID } from 'node:crypto';

import { createWebhookTargets, type FindWebhookTarget } from '@aftermeet/webhooks';

import type { Settings } from '../settings/settings.ts';

/** The addresses of the receiver that reads the same settings; `publicUrl` is where the sender reaches it. */
export function findWebhookTargets({ endpoints }: Settings, publicUrl: string): FindWebhookTarget {
  const { byName, masterSecret } = endpoints;
  return createWebhookTargets({
    publicUrl,
    endpoints: byName,
    newKey: randomUUID,
    ...(masterSecret === undefined ? {} : { masterSecret }),
  });
}
