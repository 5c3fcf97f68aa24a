import { checkDeliveryCode } from '../code/check-delivery.ts';
import type { Order } from '../order.ts';
import { allOf, codeOf, isTrue } from '../parameters.ts';
import { addSettings } from './settings.ts';

/** The name of the node whose item is the event. */
export const eventNode = 'Check the delivery';

/** An expression for a field of the event. */
export function eventField(name: string): string {
  return `$('${eventNode}').first().json.${name}`;
}

/**
 * From the delivery to an event that can be believed: the exact bytes, their HMAC with the secret of a credential, the
 * comparison, and the answer: 401 to what is not genuine, 200 to the rest.
 */
export function receiveDelivery(order: Order, own: Readonly<Record<string, string | number>>): void {
  const { canvas, configured, options } = order;
  canvas.add({
    name: 'Delivery arrives',
    kind: 'webhook',
    parameters: {
      httpMethod: 'POST',
      path: `aftermeet-${configured.name}`,
      responseMode: 'responseNode',
      options: { rawBody: true },
    },
  });
  canvas.add({
    name: 'Read the exact bytes',
    kind: 'extract',
    parameters: {
      operation: 'text',
      binaryPropertyName: 'data',
      destinationKey: 'raw',
      options: { encoding: 'utf8', stripBOM: false, keepSource: 'json' },
    },
  });
  addSettings(order, {
    header_prefix: options.headerPrefix ?? 'X-Service',
    tolerance_seconds: options.toleranceSeconds ?? 300,
    ...own,
  });
  canvas.add({
    name: 'Sign it ourselves',
    kind: 'crypto',
    credential: 'secret',
    parameters: {
      action: 'hmac',
      binaryData: false,
      type: 'SHA256',
      value:
        "={{ ($json.headers[$json.header_prefix.toLowerCase() + '-timestamp'] ?? '') + '.' + $json.raw }}",
      dataPropertyName: 'expected',
      encoding: 'hex',
    },
  });
  canvas.add({ name: eventNode, kind: 'code', parameters: codeOf(checkDeliveryCode) });
  canvas.add({
    name: 'Is it genuine?',
    kind: 'if',
    parameters: allOf(isTrue('accepted', '$json.accepted')),
  });
  canvas.add(answer('Refuse it', 401, '{{ $json.why }}'), { name: 'Is it genuine?', output: 1 });
  canvas.add(answer('Accept it', 200, 'accepted'), { name: 'Is it genuine?' });
}

function answer(name: string, status: number, words: string) {
  return {
    name,
    kind: 'respond',
    parameters: {
      respondWith: 'text',
      responseBody: words.includes('{{') ? `=${words}` : words,
      options: {
        responseCode: status,
        responseHeaders: { entries: [{ name: 'Content-Type', value: 'text/plain; charset=utf-8' }] },
      },
    },
  } as const;
}
