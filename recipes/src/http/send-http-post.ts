import { signStandardWebhook } from '@aftermeet/webhooks';

import { type Carrier, type ProbeResult, type SendResult, sendTimeoutMs } from '../shipment.ts';
import { guardAddress, type ResolveHost, resolveHost } from './guard-address.ts';
import type { HttpPost } from './http-post.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { postOnce } from './post-once.ts';

/**
 * Opens the way to other people's addresses. Each attempt of an effect has the same `webhook-id`, its key, and is
 * signed when it is sent: a receiver takes it once, and never finds it too old. A report that has changed is posted
 * under the id of its own effect, so that the receiver takes that one too; both name the meeting.
 */
export function openHttp(
  clock: () => number,
  timeoutMs = sendTimeoutMs,
  resolve: ResolveHost = resolveHost,
): Carrier<HttpPost> {
  return {
    prepare: async ({ body, to }, { effectKey }) => {
      const { url, keys, headers, isPrivateAllowed, expected } = to.reveal();
      const guarded = await guardAddress(url, { isPrivateAllowed, resolve, timeoutMs });
      if (guarded.result !== 'allowed') return guarded;
      const { addresses } = guarded;
      const send = async (): Promise<SendResult> => {
        const signed = signStandardWebhook({ id: effectKey, sentAtMs: clock(), body }, keys);
        const own = { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'aftermeet' };
        const outcome = await postOnce({
          url,
          addresses,
          headers: { ...own, ...headers, ...signed },
          body,
          timeoutMs,
        });
        return judgeOutcome(outcome, effectKey, clock(), expected);
      };
      return { result: 'ready', shipment: { timeoutMs, send, probe: probeNothing, isSentAnew: true } };
    },
    close: async () => {},
  };
}

/** Nobody but the receiver knows what it took, and it knows it by the id alone. */
async function probeNothing(): Promise<ProbeResult> {
  return { result: 'untraceable' };
}
