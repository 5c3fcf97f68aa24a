import { html } from '@aftermeet/pages';

import type { DeliveryCounts } from '../delivery-tally.ts';
import { renderChart } from './chart.ts';
import type { OverviewView } from './console-data.ts';
import { renderNotices } from './effect-pages.ts';
import { type Frame, page, renderTime } from './frame.ts';
import { renderRefused } from './refusals.ts';

/** How many effects are in which state, what changed lately, and the deliveries of this receiver. */
export function renderOverview(
  frame: Frame,
  overview: OverviewView,
  {
    stored,
    counts,
  }: {
    readonly stored: readonly { readonly atMs: number; readonly endpoint: string; readonly cause: string }[];
    readonly counts: DeliveryCounts;
  },
): string {
  const numbers = [
    ...Object.entries(overview.effects)
      .filter(([state, count]) => count > 0 || state === 'sent')
      .map(([state, count]) => [`effects ${state}`, count] as const),
    ['deliveries that no worker has taken', overview.waitingDeliveries] as const,
    ['effects that wait', overview.waitingEffects] as const,
    ['seconds that the oldest of them waits for a worker', Math.round(overview.oldestMs / 1000)] as const,
  ];
  return page(frame, {
    title: 'Overview',
    at: '/console/overview',
    isLive: true,
    body: html`${renderNotices(overview.notices)}
      <ul class="numbers">
        ${numbers.map(([name, count]) => html`<li><strong>${count}</strong> ${name}</li>`)}
      </ul>
      <h2>Effects by their last change</h2>
      ${renderChart('Last hour', overview.lastHour)} ${renderChart('Last day', overview.lastDay)}
      <h2>Workers of the last day</h2>
      ${
        overview.workers.length === 0
          ? html`<p class="empty">No worker has given a sign. Start one: aftermeet worker.</p>`
          : html`<ul class="lines">
              ${overview.workers.map(
                ({ name, words, tone, atMs }) =>
                  html`<li>
                    <strong>${name}</strong> <span class="${tone}">${words}</span> ${renderTime(atMs)}
                  </li>`,
              )}
            </ul>`
      }
      <h2>Deliveries of this receiver</h2>
      <p class="small soft">Since it started, ${renderTime(counts.sinceMs)}.</p>
      ${counts.stored.length + counts.refused.length === 0 && html`<p class="empty">None has come.</p>`}
      <ul class="lines">
        ${counts.stored.map(
          ({ endpoint, accepted, duplicate }) =>
            html`<li><strong>${endpoint}</strong> ${accepted} accepted, ${duplicate} came again</li>`,
        )}
      </ul>
      ${renderRefused(counts.refused)}
      ${
        stored.length > 0 &&
        html`<h2>Signed deliveries that could not be read</h2>
          <ul class="lines">
            ${stored.map(({ atMs, endpoint, cause }) => html`<li>${renderTime(atMs)} <strong>${endpoint}</strong> ${cause}</li>`)}
          </ul>`
      }`,
  });
}
