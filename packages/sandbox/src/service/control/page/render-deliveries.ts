import { html, type Markup } from '../../../web/markup.ts';
import type { DeliveryView } from '../../deliveries/delivery.ts';
import type { SandboxWorld } from '../../sandbox-world.ts';
import { renderRest, takeNewest } from './newest.ts';
import { renderDelivery } from './render-delivery.ts';

/** The deliveries, newest first, each with the title of its meeting. */
export function renderDeliveries(
  deliveries: readonly DeliveryView[],
  { meetings, clock }: Pick<SandboxWorld, 'meetings' | 'clock'>,
): Markup {
  const nowMs = clock.now();
  return html`<h2 id="deliveries">Deliveries</h2>
    ${
      deliveries.length === 0 &&
      html`<p class="empty">
        No delivery yet. One is sent when a meeting with a webhook address completes or fails.
      </p>`
    }
    ${takeNewest(deliveries).map((delivery) =>
      renderDelivery(delivery, meetings.find(delivery.meetingId)?.title ?? delivery.meetingId, nowMs),
    )}
    ${renderRest(deliveries.length, '/_sandbox/deliveries')}`;
}
