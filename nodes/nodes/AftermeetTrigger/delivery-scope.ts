import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/** One node class serves all workflows of a process: a key belongs to the trigger that it was sent to. */
export function scopeDelivery(context: IWebhookFunctions | IExecuteFunctions, key: string): string {
  return `${context.getWorkflow().id}/${context.getNode().id}/${key}`;
}
