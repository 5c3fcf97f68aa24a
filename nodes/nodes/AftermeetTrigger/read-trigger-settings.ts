import { limits } from '@aftermeet/contract/pure';
import { deliveryHeaderNames } from '@aftermeet/webhooks';
import { type IHookFunctions, type IWebhookFunctions, NodeOperationError } from 'n8n-workflow';

import { describeBadSecrets } from '../../credentials/check-webhook-secrets.ts';
import type { DeliverySettings } from './decide-delivery.ts';
import { readFilters } from './read-filters.ts';

export interface TriggerSettings extends DeliverySettings {
  readonly fetchesReport: boolean;
}

const secretNames = ['secret', 'previousSecret', 'olderSecret'] as const;

/** The node's parameters and its credential. Throws `NodeOperationError`, with what to do, for those that can check nothing. */
export async function readTriggerSettings(
  context: IHookFunctions | IWebhookFunctions,
): Promise<TriggerSettings> {
  const credential = await context.getCredentials('aftermeetWebhookApi');
  const signedBy = credential['signedBy'] === 'receiver' ? 'receiver' : 'service';
  const secrets = secretNames.flatMap((name) => {
    const secret = credential[name];
    return typeof secret === 'string' && secret !== '' ? [secret] : [];
  });
  const refuse = (message: string): never => {
    throw new NodeOperationError(context.getNode(), message);
  };
  if (secrets.length === 0)
    return refuse('The credential holds no secret: anybody could start this workflow');
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
