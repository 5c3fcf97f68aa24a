import { html, type Markup } from '../../../web/markup.ts';
import type { DeliveryAttempt, DeliveryView } from '../../deliveries/delivery.ts';
import { renderButtons } from './render-button.ts';
import { renderDueTime, renderTime } from './render-time.ts';
import { shorten } from './shorten.ts';

const states: Readonly<Record<DeliveryView['state'], readonly [tone: string, label: string]>> = {
  waiting: ['wait', 'waiting'],
  delivered: ['good', 'delivered'],
  given_up: ['bad', 'given up'],
  dropped: ['bad', 'dropped'],
};

/** More attempts than these are folded away. */
const attemptsInSight = 3;

/** One delivery: where it went and what came of it. `nowMs`: the sandbox's time. */
export function renderDelivery(delivery: DeliveryView, title: string, nowMs: number): Markup {
  const { id, event, receiver, isSigned, state, attempts, nextAttemptAt, fault } = delivery;
  const [tone, label] = states[state];
  const isUnderWay = state === 'waiting' && nextAttemptAt === undefined;
  const path = `/_sandbox/deliveries/${encodeURIComponent(id)}`;
  const about = `${shorten(event, 60)}, ${shorten(title, 60)}`;
  return html`<article class="card" id="delivery-${id}">
    <div class="row head">
      <h3>${shorten(event, 100)}</h3>
      <span class="pill end ${tone}">${isUnderWay ? 'under way' : label}</span>
    </div>
    <p><bdi>${shorten(title, 200)}</bdi></p>
    <p class="small soft">to ${receiver} · ${isSigned ? 'signed' : 'not signed'} · <code>${id}</code></p>
    ${fault !== undefined && html`<p class="small bad">Hit by the fault <code>${fault}</code></p>`}
    ${renderAttempts(attempts)}
    ${nextAttemptAt !== undefined && html`<p class="small">Next attempt: ${renderDueTime(Date.parse(nextAttemptAt), nowMs)}</p>`}
    <div class="row">
      ${renderButtons(`${path}/redeliver#delivery-${id}`, [{ label: 'Deliver again', about }])}
      <a class="small" href="${path}" aria-label="What was sent, as JSON: ${about}">What was sent, as JSON</a>
    </div>
  </article>`;
}

function renderAttempts(attempts: readonly DeliveryAttempt[]): Markup | false {
  if (attempts.length === 0) return false;
  const earlier = attempts.slice(0, -attemptsInSight);
  const firstInSight = earlier.length + 1;
  return html`${
      earlier.length > 0 &&
      html`<details class="small">
        <summary>${earlier.length} earlier ${earlier.length === 1 ? 'attempt' : 'attempts'}</summary>
        <ol>
          ${earlier.map(renderAttempt)}
        </ol>
      </details>`
    }
    <ol class="small" start="${firstInSight}">
      ${attempts.slice(-attemptsInSight).map(renderAttempt)}
    </ol>`;
}

function renderAttempt({ at, status, error, elapsedMs }: DeliveryAttempt): Markup {
  const outcome = status === undefined ? (error ?? 'no answer') : `answered ${String(status)}`;
  return html`<li>${renderTime(at)}: ${outcome} in ${elapsedMs} ms</li>`;
}
