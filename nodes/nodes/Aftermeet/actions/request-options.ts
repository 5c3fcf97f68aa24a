import { DEFAULT_TIMEOUT_MS } from '@aftermeet/client/pure';
import { type IExecuteFunctions, type INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { RequestLimits } from '../transport/connect.ts';
import { readParameter } from './fields.ts';

/** An hour: n8n holds the execution open meanwhile. */
const MAX_SECONDS = 3600;

const seconds: Pick<INodeProperties, 'type' | 'typeOptions'> = {
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MAX_SECONDS },
};

/** What every operation has: how long it waits for a service that is silent. */
export const requestOptions: INodeProperties = {
  displayName: 'Request Options',
  name: 'requestOptions',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [
    {
      ...seconds,
      displayName: 'Timeout (Seconds)',
      name: 'timeout',
      default: DEFAULT_TIMEOUT_MS / 1000,
      description:
        'How long the service may take to answer one attempt. Without it that is half a minute, and a quarter of an hour for a chunk of an upload.',
    },
    {
      ...seconds,
      displayName: 'Total Retry Time (Seconds)',
      name: 'totalRetryTime',
      default: 90,
      description:
        'How long one request may take with all its attempts and the waits between them. Without it that is a minute and a half, and half an hour for a chunk of an upload.',
    },
  ],
};

/** Throws for what is no number of seconds, which an expression may give. */
export function readRequestLimits(context: IExecuteFunctions, itemIndex: number): RequestLimits {
  const readMs = (name: string, label: string): number | undefined => {
    const given = readParameter(context, itemIndex, name);
    if (given === '' || given === undefined || given === null) return undefined;
    const value = Number(given);
    if (value >= 1 && value <= MAX_SECONDS) return Math.ceil(value * 1000);
    throw new NodeOperationError(context.getNode(), `${label} must be 1 to ${MAX_SECONDS}`, { itemIndex });
  };
  return {
    timeoutMs: readMs('requestOptions.timeout', 'Timeout (Seconds)'),
    totalMs: readMs('requestOptions.totalRetryTime', 'Total Retry Time (Seconds)'),
  };
}
