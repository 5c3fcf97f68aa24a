import {
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';

import { checkWebhookSecrets } from '../../credentials/check-webhook-secrets.ts';
import { createDeliveryClaims, keepDeliveries } from './duplicates.ts';
import { receiveDelivery } from './receive-delivery.ts';
import { checkActivation, triggerProperties } from './settings.ts';

/** Starts a workflow with each meeting that the service delivers, and with nothing else. */
export class AftermeetTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Aftermeet Trigger',
    name: 'aftermeetTrigger',
    icon: { light: 'file:../../icons/aftermeet.svg', dark: 'file:../../icons/aftermeet.dark.svg' },
    group: ['trigger'],
    version: [1],
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a meeting is completed or has failed, by a signed webhook',
    defaults: { name: 'Aftermeet Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [
      { name: 'aftermeetWebhookApi', required: true, testedBy: 'checkWebhookSecrets' },
      { name: 'aftermeetApi', required: true, displayOptions: { show: { fetchReport: [true] } } },
    ],
    webhooks: [
      {
        name: 'default',
        httpMethod: 'POST',
        responseMode: 'onReceived',
        // Empty: what `webhook` says, as JSON. Without it the answer is a literal word.
        responseData: '',
        path: 'webhook',
      },
    ],
    properties: triggerProperties,
  };

  methods = { credentialTest: { checkWebhookSecrets } };

  // The service has no list of addresses: each recording and upload names its own.
  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return false;
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await checkActivation(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return true;
      },
    },
  };

  webhook: (this: IWebhookFunctions) => Promise<IWebhookResponseData>;

  execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

  constructor() {
    const claims = createDeliveryClaims();
    this.execute = async function keep() {
      return keepDeliveries(this, claims);
    };
    this.webhook = async function receive() {
      return await receiveDelivery(this, claims);
    };
  }
}
