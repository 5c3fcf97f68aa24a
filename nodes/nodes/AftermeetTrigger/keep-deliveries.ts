import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { DeliveryClaims } from './delivery-claims.ts';
import { scopeDelivery } from './delivery-scope.ts';
import { addKeys, appendKeys } from './kept-keys.ts';

/**
 * Runs first in the execution that a delivery has started, and remembers the delivery in n8n's static data. Not in the webhook: n8n
 * (2.41.1) makes another workflow of the same data before it saves what a webhook has changed, and that forgets the change; what an
 * execution changes is saved when it ends. Each execution has a copy of its own, of which the last one saved counts: one that finds
 * something else than this process wrote last writes all that this process knows.
 */
export function keepDeliveries(context: IExecuteFunctions, claims: DeliveryClaims): INodeExecutionData[][] {
  const items = context.getInputData();
  // Whoever tries the workflow out sends the same again and again.
  if (context.getMode() === 'manual') return [items];
  const scope = scopeDelivery(context, '');
  const data = context.getWorkflowStaticData('node');
  const kept = data['deliveries'];
  const keys = items.flatMap(readKey);
  // That it runs shows that it was stored, whether its sender heard so or not.
  for (const key of keys) claims.end(scopeDelivery(context, key), true);
  const written =
    typeof kept === 'string' && kept === claims.lastWritten(scope)
      ? appendKeys(kept, keys)
      : addKeys(kept, [...claims.listDone(scope), ...keys]);
  data['deliveries'] = written;
  claims.noteWritten(scope, written);
  return [items];
}

function readKey({ json }: INodeExecutionData): string[] {
  const key = json['delivery_key'];
  return typeof key === 'string' ? [key] : [];
}
