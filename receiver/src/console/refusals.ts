import { html, type Markup } from '@aftermeet/pages';

import type { RefusedDeliveries } from '../delivery-tally.ts';
import { renderTime } from './frame.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** As they come over HTTP too, perhaps from a receiver of another version. */
type CountedRefusals = Omit<RefusedDeliveries, 'kind'> & { readonly kind: string };

/** Requests that were no deliveries, and floods and outages, after which the service sends again. */
const HARMLESS: ReadonlySet<string> = new Set([
  'wrong_method',
  'too_many',
  'unavailable',
  'overloaded',
  'removed',
]);

/** Refusals that a person should see to: those of the last day that lost a delivery. */
export function listRecent<Counted extends CountedRefusals>(
  { refused }: { readonly refused: readonly Counted[] },
  nowMs: number,
): readonly Counted[] {
  return refused.filter(({ kind, lastMs }) => lastMs > nowMs - DAY_MS && !HARMLESS.has(kind));
}

export function renderRefused(refused: readonly RefusedDeliveries[]): Markup {
  return html`<ul class="lines">
    ${refused.map((one) => {
      const { endpoint, why, advice } = explainRefused(one);
      return html`<li>
        ${renderTime(one.lastMs)} <strong>${endpoint}</strong> <span class="bad">${one.times} refused</span>:
        ${[why, ...(advice === undefined ? [] : [advice])].join('. ')}
      </li>`;
    })}
  </ul>`;
}

interface ExplainedRefusals {
  /** Its name, cut where a stranger chose it. */
  readonly endpoint: string;
  readonly why: string;
  /** What to do; absent where `why` says it. */
  readonly advice?: string | undefined;
}

/** Why deliveries were refused, and what to do. A cause without words of its own says itself what it is. */
export function explainRefused(
  refused: Pick<CountedRefusals, 'endpoint' | 'kind' | 'cause'>,
): ExplainedRefusals {
  const { kind, cause } = refused;
  const [why, advice] = kind === 'unknown_endpoint' ? noEndpoint : (words[cause] ?? [cause]);
  return { endpoint: nameEndpoint(refused), why, advice };
}

/** Anybody can ask for any name: of an unknown one not much is shown. */
function nameEndpoint({ endpoint, kind }: Pick<CountedRefusals, 'endpoint' | 'kind'>): string {
  if (endpoint === '') return 'no endpoint';
  if (kind !== 'unknown_endpoint') return endpoint;
  return `/hooks/${endpoint.slice(0, MAX_UNKNOWN)}${endpoint.length > MAX_UNKNOWN ? '…' : ''}`;
}

const MAX_UNKNOWN = 24;

type Words = readonly [why: string, advice?: string];

const noEndpoint: Words = [
  'there is no such endpoint',
  'Add it to aftermeet.yaml, or correct the address that the recording was given',
];
const noSignature: Words = [
  'it has no signature that can be read',
  'The recording was started without a webhook secret, something on the way drops headers, or it is not from the service',
];
const noTime: Words = [
  'it has no time that can be read',
  'Something on the way drops or doubles headers, or it is not from the service',
];

const words: Readonly<Record<string, Words>> = {
  missing_signature: noSignature,
  malformed_signature: noSignature,
  doubled_signature: noSignature,
  missing_timestamp: noTime,
  malformed_timestamp: noTime,
  doubled_timestamp: noTime,
  wrong_signature: [
    'it is signed with another secret',
    'Give this endpoint the secret that the recording was started with (WEBHOOK_SECRET, or secrets in aftermeet.yaml)',
  ],
  too_old: [
    'its time is too long ago',
    'Check the clock of the receiver; a delivery that was held up on its way is refused too',
  ],
  too_new: ['its time is in the future', 'Check the clock of the receiver'],
};
