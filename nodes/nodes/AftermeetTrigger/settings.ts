import { limits } from '@aftermeet/contract';
import { type DeliveryHeaderNames, deliveryHeaderNames } from '@aftermeet/webhooks';
import {
  type IHookFunctions,
  type INodeProperties,
  type IWebhookFunctions,
  NodeOperationError,
} from 'n8n-workflow';

import { describeBadSecrets } from '../../credentials/describe-bad-secrets.ts';
import {
  describeFilters,
  type EventFilters,
  eventsProperty,
  fetchReportProperty,
  readFilters,
} from './filters.ts';

export interface DeliverySettings {
  /** Whose signature deliveries carry: the service's, or that of Aftermeet's receiver (Standard Webhooks). */
  readonly signedBy: 'service' | 'receiver';
  /** Every one that is valid now; at least one. */
  readonly secrets: readonly string[];
  /** Of the service's headers, in lower case. */
  readonly headerNames: DeliveryHeaderNames;
  readonly toleranceSeconds: number;
  readonly filters: EventFilters;
}

export interface TriggerSettings extends DeliverySettings {
  readonly fetchesReport: boolean;
}

const secretNames = ['webhookSecret', 'previousSecret', 'olderSecret'] as const;

/** The node's parameters and its credential. Throws `NodeOperationError`, with what to do, for those that can check nothing. */
export async function readTriggerSettings(
  context: IHookFunctions | IWebhookFunctions,
): Promise<TriggerSettings> {
  const credential = await context.getCredentials('aftermeetApi');
  const signedBy = credential['signedBy'] === 'receiver' ? 'receiver' : 'service';
  const secrets = secretNames.flatMap((name) => {
    const secret = credential[name];
    return typeof secret === 'string' && secret !== '' ? [secret] : [];
  });
  const refuse = (message: string): never => {
    throw new NodeOperationError(context.getNode(), message);
  };
  if (secrets.length === 0)
    return refuse('The credential holds no Webhook Secret: any sender could start this workflow');
  const problem = describeBadSecrets(credential);
  if (problem !== undefined) return refuse(`The credential does not protect this workflow: ${problem}`);
  const given = context.getNodeParameter('options.toleranceSeconds', limits.deliveryToleranceSeconds);
  const toleranceSeconds = Number(given);
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    return refuse('Tolerance (Seconds) must be a number of 0 or more');
  }
  const filters = readFilters(context.getNodeParameter('events'), context.getNodeParameter('filters', {}));
  if (filters.events.length === 0) return refuse('Events must be a list that names one at least');
  const fetchesReport = context.getNodeParameter('fetchReport', false) === true;
  if (fetchesReport && !['baseUrl', 'apiKey'].every((name) => hasText(credential[name]))) {
    return refuse('Fetch the Report at Once needs Base Address and API Key in the credential');
  }
  if (filters.sources.length > 0 && signedBy === 'service' && !fetchesReport) {
    return refuse(
      'The filter Platforms needs Fetch the Report at Once: the event does not name the platform',
    );
  }
  const prefix = context.getNodeParameter('options.headerPrefix', 'X-Service');
  return {
    signedBy,
    secrets,
    headerNames: readHeaderNames(prefix, refuse),
    toleranceSeconds,
    filters,
    fetchesReport,
  };
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** In lower case, as Node gives received ones. */
function readHeaderNames(
  prefix: unknown,
  refuse: (message: string) => never,
): DeliverySettings['headerNames'] {
  try {
    const { event, signature, timestamp, delivery } = deliveryHeaderNames(
      typeof prefix === 'string' ? prefix.trim() : '',
    );
    return {
      event: event.toLowerCase(),
      signature: signature.toLowerCase(),
      timestamp: timestamp.toLowerCase(),
      delivery: delivery.toLowerCase(),
    };
  } catch {
    return refuse('Header Prefix must be letters, digits and -, such as X-Service');
  }
}

const notice: INodeProperties = {
  displayName:
    'The service keeps no list of addresses, so the trigger cannot register itself: paste the <b>Production URL</b> above as Webhook URL wherever a recording is started or a file uploaded. The service refuses addresses of this machine and of private networks: behind a proxy or a tunnel, set WEBHOOK_URL in n8n.',
  name: 'notice',
  type: 'notice',
  default: '',
};

const knownKinds = Array.isArray(eventsProperty.options) ? eventsProperty.options : [];

/** The parameters of the webhook trigger. */
export const triggerProperties: INodeProperties[] = [
  notice,
  {
    ...eventsProperty,
    options: [
      ...knownKinds,
      {
        name: 'Any Other Event',
        value: 'other',
        description: 'Kinds of events that this version does not know yet',
      },
    ],
  },
  fetchReportProperty,
  describeFilters(
    ' The event of the service does not name it: this needs Fetch the Report at Once, unless the receiver sends the meeting on.',
    '',
  ),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Header Prefix',
        name: 'headerPrefix',
        type: 'string',
        default: 'X-Service',
        description:
          "What the names of the service's signature headers begin with; the receiver has the same setting",
      },
      {
        displayName: 'Tolerance (Seconds)',
        name: 'toleranceSeconds',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 300,
        description:
          'How far the timestamp of a delivery may lie from the clock of n8n, before or after it. More lets late retries in that were not signed anew, and replays too.',
      },
    ],
  },
];

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

/** Names of this machine, and what only a private network knows. */
const localName = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa)|[^.:]+)$/;

/** RFC 1122 (loopback), RFC 1918, RFC 3927, RFC 6598, and 0.0.0.0. */
const localIpv4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Loopback, RFC 4193, link-local, and IPv4 in IPv6. */
const localIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*)\]$/;

/** Whether an address is one that the service refuses to deliver to: this machine's, or a private network's. Pure. */
export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const host = new URL(address).hostname.replace(/\.$/, '');
  if (/^\d+(?:\.\d+){3}$/.test(host)) return localIpv4.test(host);
  return host.startsWith('[') ? localIpv6.test(host) : localName.test(host);
}
