import type { IHookFunctions } from 'n8n-workflow';

import { isLocalAddress } from './local-address.ts';
import { readTriggerSettings } from './read-trigger-settings.ts';

/**
 * What is looked at when the workflow is activated, because nothing is registered with the service: whether the settings can
 * check a delivery (throws `NodeOperationError`, which n8n shows), and, in n8n's log alone, whether the service could reach the
 * address. A local one is right behind Aftermeet's receiver and in front of a sandbox, so it refuses nothing.
 */
export async function checkActivation(context: IHookFunctions): Promise<void> {
  const { signedBy } = await readTriggerSettings(context);
  const address = context.getNodeWebhookUrl('default');
  if (signedBy === 'receiver' || address === undefined || !isLocalAddress(address)) return;
  context.logger.warn(
    `Aftermeet Trigger: the service does not deliver to this machine or into private networks, and n8n gives ${new URL(address).origin} as its address. Set WEBHOOK_URL in n8n to the address that the service can reach.`,
  );
}
