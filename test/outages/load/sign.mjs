import { createHmac } from 'node:crypto';

export const SECRET = 'whsec_0123456789abcdef';

/**
 * The headers of a delivery that is signed now: by the specification's rule and Node's own HMAC, not by the code
 * under test.
 */
export function signDelivery({ deliveryId, body }, nowMs = Date.now()) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-service-event': 'meeting.completed',
    'x-service-signature': `sha256=${digest}`,
    'x-service-timestamp': timestamp,
    'x-service-delivery': deliveryId,
  };
}
