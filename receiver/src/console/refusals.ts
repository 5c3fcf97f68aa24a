import { html, type Markup } from '@aftermeet/pages';

import type { DeliveryCounts, RefusedDeliveries } from '../delivery-tally.ts';
import { renderTime } from './frame.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Refusals that a person should see to: those of the last day, floods and outages aside. */
export function listRecent({ refused }: DeliveryCounts, nowMs: number): readonly RefusedDeliveries[] {
  return refused.filter(
    ({ kind, lastMs }) => lastMs > nowMs - DAY_MS && kind !== 'too_many' && kind !== 'unavailable',
  );
}

export function renderRefused(refused: readonly RefusedDeliveries[]): Markup {
  return html`<ul class="lines">
    ${refused.map(
      (one) =>
        html`<li>
          ${renderTime(one.lastMs)} <strong>${nameEndpoint(one)}</strong>
          <span class="bad">${one.times} refused</span>: ${describe(one)}
        </li>`,
    )}
  </ul>`;
}

/** Anybody can ask for any name: of an unknown one not much is shown. */
function nameEndpoint({ endpoint, kind }: RefusedDeliveries): string {
  if (endpoint === '') return 'no endpoint';
  if (kind !== 'unknown_endpoint') return endpoint;
  return `/hooks/${endpoint.slice(0, MAX_UNKNOWN)}${endpoint.length > MAX_UNKNOWN ? '…' : ''}`;
}

const MAX_UNKNOWN = 24;

const noSignature =
  'it has no signature that can be read. The recording was started without a webhook secret, something on the way drops headers, or it is not from the service';
const noTime =
  'it has no time that can be read: something on the way drops or doubles headers, or it is not from the service';

/** Why, and what to do. A cause that is not here says itself what it is. */
const words: Readonly<Record<string, string>> = {
  missing_signature: noSignature,
  malformed_signature: noSignature,
  doubled_signature: noSignature,
  missing_timestamp: noTime,
  malformed_timestamp: noTime,
  doubled_timestamp: noTime,
  wrong_signature:
    'it is signed with another secret. Give this endpoint the secret that the recording was started with (WEBHOOK_SECRET, or secrets in aftermeet.yaml)',
  too_old:
    'its time is too long ago. Check the clock of this machine; a delivery that was held up on its way is refused too',
  too_new: 'its time is in the future. Check the clock of this machine',
};

function describe({ kind, cause }: RefusedDeliveries): string {
  if (kind === 'unknown_endpoint')
    return 'there is no such endpoint. Add it to aftermeet.yaml, or correct the address that the recording was given';
  return words[cause] ?? cause;
}
