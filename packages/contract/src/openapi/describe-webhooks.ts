import { limits } from '../limits.ts';
import { EVENT_KINDS, type EventKind } from '../webhook-event.ts';
import { type Json, pointTo } from './schemas.ts';

const summaries: Readonly<Record<EventKind, string>> = {
  'meeting.completed': 'Processing of a meeting has finished',
  'meeting.failed': 'Processing of a meeting has failed',
};

/** The deliveries that the service sends to a receiver (specification, Events), by their event kind. */
export function describeWebhooks(): Json {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: describeDelivery(kind) }]));
}

function describeDelivery(kind: EventKind): Json {
  return {
    operationId: `webhooks_${kind.replace('.', '_')}`,
    tags: ['Events'],
    summary: summaries[kind],
    description: [
      'Sent to the `webhook_url` of the meeting. The signature is the HMAC-SHA256, keyed with the `webhook_secret`,',
      'of the timestamp header, a full stop and the bytes of the body.',
    ].join(' '),
    security: [],
    parameters: describeHeaders(kind),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [pointTo('WebhookEvent'), { type: 'object', properties: { event: { const: kind } } }],
          },
        },
      },
    },
    responses: {
      200: { description: 'The receiver has accepted the delivery.' },
      401: {
        description: `The signature does not match, or the timestamp is more than ${limits.deliveryToleranceSeconds} seconds off.`,
      },
    },
  };
}

function describeHeaders(kind: EventKind): readonly Json[] {
  return [
    describeHeader('X-Service-Event', 'The event kind', { const: kind }),
    {
      ...describeHeader(
        'X-Service-Signature',
        'The signature; observed to be sent only when the meeting has a secret',
        {
          type: 'string',
          pattern: '^sha256=[0-9a-f]{64}$',
        },
      ),
      required: false,
    },
    describeHeader('X-Service-Timestamp', 'Unix time in whole seconds', {
      type: 'string',
      pattern: '^[0-9]+$',
    }),
    describeHeader('X-Service-Delivery', 'The delivery identifier', { type: 'string', minLength: 1 }),
  ];
}

function describeHeader(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: true, description, schema };
}
