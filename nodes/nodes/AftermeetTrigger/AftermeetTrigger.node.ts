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

import { createDeliveryClaims, keepDeliveries } from './duplicates.ts';
import { receiveDelivery } from './receive-delivery.ts';
import { showRefusal } from './refusal.ts';
import { checkActivation, triggerProperties } from './settings.ts';

/** How to send one by hand; TEST_URL because n8n fills no address into these texts. */
const sendHelp =
  'run this in a shell, with the Test URL of this node and with its Webhook Secret in WEBHOOK_SECRET:<br /><code>npx aftermeet send TEST_URL</code><br />A delivery that is refused shows the reason here.';

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
    credentials: [{ name: 'aftermeetApi', required: true }],
    eventTriggerDescription: 'Waiting for a delivery to the Test URL',
    activationMessage:
      'Paste the Production URL of the trigger as Webhook URL wherever a recording is started or a file uploaded: the service keeps no list of addresses.',
    triggerPanel: {
      header: '',
      executionsHelp: {
        inactive: `A delivery can come in two ways.<br /><br /><b>To the Test URL</b>, while you build: press the button, and within two minutes ${sendHelp}<br /><br /><b>To the Production URL</b>, once the workflow is published: paste it as Webhook URL wherever a recording is started or a file uploaded. Such executions are in the executions list, not here.`,
        active: `A delivery can come in two ways.<br /><br /><b>To the Test URL</b>, while you build: press the button, and within two minutes ${sendHelp}<br /><br /><b>To the Production URL</b>: the workflow is published and runs by itself. Such executions are in the <a data-key="executions">executions list</a>, not here.`,
      },
      activationHint:
        'Once the workflow is published, deliveries to the Production URL start it without this button.',
    },
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
      showRefusal(this);
      return keepDeliveries(this, claims);
    };
    this.webhook = async function receive() {
      return await receiveDelivery(this, claims);
    };
  }
}
