import { limits } from '@aftermeet/contract/pure';
import type { INodeProperties } from 'n8n-workflow';

/** Who is told when a meeting is processed, and how it knows the service: for whatever makes a meeting. */
export const webhookProperties: readonly INodeProperties[] = [
  {
    displayName: 'Webhook Secret',
    name: 'webhookSecret',
    type: 'string',
    typeOptions: { password: true },
    default: '',
    description: `With which the service signs what it sends: ${limits.secretMinLength} to ${limits.secretMaxLength} characters, the same as in the credential of the Aftermeet trigger, which accepts nothing unsigned. What is typed here is kept in the workflow and in its exports; an expression keeps it out of them.`,
  },
  {
    displayName: 'Webhook URL',
    name: 'webhookUrl',
    type: 'string',
    default: '',
    placeholder: 'e.g. https://n8n.example.com/webhook/…',
    description:
      'Who is told when the meeting is processed: the production URL of an Aftermeet trigger, at an address that the service can reach',
  },
];
