import { isStandardWebhook, type RefusalReason, verifyDelivery } from '@aftermeet/webhooks';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { DeliveryFacts } from './read-delivery.ts';
import type { DeliverySettings } from './settings.ts';

/** Why a delivery is answered 401; `other_sender`: the signature of the sender that the credential does not name. */
export type Refusal = RefusalReason | 'other_sender';

/**
 * Whether a delivery is genuine: undefined, or why it is not. The sender never hears which reason it was. No content of a request makes
 * it throw; settings that can check nothing do (`RangeError`). Pure.
 */
export function findRefusal(
  delivery: DeliveryFacts,
  settings: DeliverySettings,
  nowMs: number,
): Refusal | undefined {
  const { signedBy, secrets, toleranceSeconds } = settings;
  const { body, headers } = delivery;
  const nowSeconds = nowMs / 1000;
  const names = nameHeaders(settings);
  const other = signedBy === 'receiver' ? settings.headerNames.signature : standardNames.signature;
  if (headers[names.signature] === undefined && headers[other] !== undefined) return 'other_sender';
  if (signedBy === 'receiver') {
    if (isStandardWebhook(delivery, { secrets, nowSeconds, toleranceSeconds })) return undefined;
    return explainStandard(delivery, nowSeconds, toleranceSeconds);
  }
  const signature = headers[names.signature];
  const timestamp = headers[names.timestamp];
  const verified = verifyDelivery({ body, signature, timestamp, secrets, nowSeconds, toleranceSeconds });
  return verified.ok ? undefined : verified.reason;
}

const standardNames = { signature: 'webhook-signature', timestamp: 'webhook-timestamp' };

function nameHeaders({ signedBy, headerNames }: DeliverySettings): typeof standardNames {
  return signedBy === 'receiver' ? standardNames : headerNames;
}

/** Of a delivery that does not verify as Standard Webhooks has it: the check itself says only that. */
function explainStandard({ headers }: DeliveryFacts, nowSeconds: number, tolerance: number): Refusal {
  for (const [part, name] of [
    ['signature', standardNames.signature],
    ['timestamp', standardNames.timestamp],
  ] as const) {
    const lines = headers[name]?.length ?? 0;
    if (lines !== 1) return lines === 0 ? `missing_${part}` : `doubled_${part}`;
  }
  const [timestamp = ''] = headers[standardNames.timestamp] ?? [];
  if (!/^\d{1,11}$/.test(timestamp)) return 'malformed_timestamp';
  const ageSeconds = nowSeconds - Number(timestamp);
  if (Math.abs(ageSeconds) > tolerance) return ageSeconds > 0 ? 'too_old' : 'too_new';
  return 'wrong_signature';
}

/** What a person reads of a delivery that was refused: names of headers and numbers of seconds, and nothing that was sent or is secret. */
export interface RefusalWords {
  readonly message: string;
  /** What to do. */
  readonly advice: string;
}

/** Pure. */
export function describeRefusal(
  refusal: Refusal,
  { headers }: DeliveryFacts,
  settings: DeliverySettings,
  nowMs: number,
): RefusalWords {
  const { signedBy, toleranceSeconds } = settings;
  const names = nameHeaders(settings);
  const name = refusal.endsWith('_timestamp') ? names.timestamp : names.signature;
  const seconds = Math.round(nowMs / 1000 - Number(headers[names.timestamp]?.[0]));
  const away = `of the ${toleranceSeconds} that the option Tolerance allows`;
  switch (refusal) {
    case 'other_sender':
      return signedBy === 'receiver'
        ? {
            message: "It is signed by the service, and the credential says Signed By: Aftermeet's Receiver",
            advice:
              'Choose The Service in the credential, with the secret that the recording was started with.',
          }
        : {
            message: "It is signed by Aftermeet's receiver, and the credential says Signed By: The Service",
            advice:
              "Choose Aftermeet's Receiver in the credential, with the secret of its recipe http-forward.",
          };
    case 'missing_signature':
    case 'missing_timestamp':
      return {
        message: `The header ${name} is missing`,
        advice:
          'The recording was started without a webhook secret, so the service signs nothing: start it with Aftermeet, whose credential has one, or give the secret along with the URL. Where the service names its headers otherwise, set the option Header Prefix.',
      };
    case 'doubled_signature':
    case 'doubled_timestamp':
      return {
        message: `The header ${name} stands there more than once`,
        advice: 'Something between the sender and n8n adds it again: a proxy, or a tunnel.',
      };
    case 'malformed_signature':
    case 'malformed_timestamp':
      return {
        message: `The header ${name} has not the form that it must have`,
        advice: 'Something between the sender and n8n changes it, or another sender knows the address.',
      };
    case 'too_old':
    case 'too_new':
      return {
        message: `Its timestamp is ${Math.abs(seconds)} seconds ${refusal === 'too_old' ? 'old' : 'ahead'}, ${away}`,
        advice:
          'Set the clock of this machine right. A late repetition that was not signed anew needs a higher Tolerance, which lets replays of that age in too.',
      };
    case 'wrong_signature':
      return {
        message: 'The signature is not one of the secrets of the credential',
        advice:
          'Compare Webhook Secret in the credential with the secret that the recording was started with. Where they are the same, something between the sender and n8n changes the body: the signature is over its bytes.',
      };
    default:
      return refusal satisfies never;
  }
}

/** What an execution in the editor shows in place of an event. A genuine one has no such field. */
export function makeRefusalItem({ message, advice }: RefusalWords): INodeExecutionData {
  return { json: { refused: message, advice } };
}

/** Throws the reason where the execution was started to show it: with Listen for test event, and never otherwise. */
export function showRefusal(context: IExecuteFunctions): void {
  if (context.getMode() !== 'manual') return;
  for (const { json } of context.getInputData()) {
    const { refused, advice } = json;
    if (typeof refused !== 'string' || typeof advice !== 'string') continue;
    throw new NodeOperationError(context.getNode(), `A delivery was refused (401). ${refused}.`, {
      description: `${advice} Then listen again.`,
    });
  }
}
