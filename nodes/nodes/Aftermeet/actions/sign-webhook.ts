import { asText, ServiceError } from '@aftermeet/client/pure';
import type { Operation } from '@aftermeet/contract';
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { describeBadSecrets } from '../../../credentials/describe-bad-secrets.ts';
import { credentialName } from '../transport/n8n-fetch.ts';

/** Who is told when a meeting is processed: for whatever makes a meeting. What it is signed with stands in the credential alone. */
export const webhookUrlParameter: INodeProperties = {
  displayName: 'Webhook URL',
  name: 'webhookUrl',
  type: 'string',
  default: '',
  placeholder: 'e.g. https://n8n.example.com/webhook/…',
  description:
    'Who is told when the meeting is processed: the production URL of an Aftermeet trigger, at an address that the service can reach. What it gets is signed with the Webhook Secret of the credential.',
};

/** In `filled` of an operation that has the parameter. */
export const signedField = { webhookSecret: 'the credential, where there is a Webhook URL' } as const;

/**
 * The fields with the webhook secret of the credential, where a webhook URL is among them. Throws `bad_request` where the credential
 * has no secret that the service may sign with: an Aftermeet trigger accepts nothing unsigned.
 */
export async function signWebhook<Input extends { readonly webhookUrl?: string | undefined }>(
  context: IExecuteFunctions,
  input: Input,
  operation: Operation,
): Promise<Input & { readonly webhookSecret?: string }> {
  if (input.webhookUrl === undefined) return input;
  const credential = await context.getCredentials(credentialName);
  const { webhookSecret } = credential;
  const problem = findProblem(credential);
  if (problem === undefined) return { ...input, webhookSecret: asText(webhookSecret) ?? '' };
  throw new ServiceError({ code: 'bad_request', operation, detail: problem, unsent: true });
}

function findProblem(credential: Parameters<typeof describeBadSecrets>[0]): string | undefined {
  if (credential['signedBy'] === 'receiver') {
    return "Webhook URL needs a credential whose Signed By is The Service: the secret of this one is that of Aftermeet's receiver, which the service does not sign with";
  }
  if ((credential['webhookSecret'] ?? '') === '') {
    return 'Webhook URL needs a Webhook Secret in the credential: the service signs with it, and an Aftermeet Trigger accepts nothing unsigned';
  }
  const bad = describeBadSecrets(credential);
  return bad === undefined ? undefined : `Webhook URL needs a good Webhook Secret in the credential: ${bad}`;
}
