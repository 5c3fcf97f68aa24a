import { html, type Markup } from '../../web/markup.ts';
import { renderLink } from '../../web/render-link.ts';
import { renderPage } from '../../web/render-page.ts';
import type { Plan } from '../account/plan.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { renderButtons } from './page/render-button.ts';
import { renderClock } from './page/render-clock.ts';
import { renderDeliveries } from './page/render-deliveries.ts';
import { renderFaults } from './page/render-faults.ts';
import { renderKnobs } from './page/render-knobs.ts';
import { renderMeetings } from './page/render-meetings.ts';
import { renderUploads } from './page/render-uploads.ts';

/** A place elsewhere that people may want to open from the sandbox's page. */
export interface PageLink {
  readonly label: string;
  readonly url: string;
}

/** The page for people: what the sandbox holds, newest first, and the buttons that steer it. It shows neither the key nor a secret. */
export function renderSandboxPage(world: SandboxWorld, links: readonly PageLink[]): string {
  const deliveries = world.sender.list();
  return renderPage({
    title: 'Sandbox',
    lead: 'A stand-in of the meeting service. Everything stays on this machine.',
    body: html`<nav class="row" aria-label="On this page">
        ${renderJump('clock', 'Clock')} ${renderJump('meetings', 'Meetings', world.meetings.count())}
        ${renderJump('deliveries', 'Deliveries', deliveries.length)}
        ${renderJump('faults', 'Faults', world.callFaults.list().length + world.deliveryFaults.list().length)}
        ${renderJump('knobs', 'Knobs')} <a class="button end" href="/_sandbox">Refresh</a>
      </nav>
      <p class="small soft">
        Base address <code>${world.baseUrl()}</code> · ${describePlan(world.account.plan())}
      </p>
      ${links.length > 0 && html`<p class="row">${links.map(({ label, url }) => renderLink(url, label))}</p>`}
      ${renderClock(world)} ${renderMeetings(world)} ${renderUploads(world.uploads.list())}
      ${renderDeliveries(deliveries, world)} ${renderFaults(world)} ${renderKnobs(world.knobs.read())}
      ${renderRest()}`,
  });
}

function renderJump(id: string, label: string, count?: number): Markup {
  return html`<a href="#${id}">${label}${count !== undefined && count > 0 && ` (${String(count)})`}</a>`;
}

function describePlan({ name, minutesLeft }: Plan): string {
  const minutes = minutesLeft === null ? 'minutes are not counted' : `${String(minutesLeft)} minutes left`;
  return `plan ${name}, ${minutes}`;
}

const listings = ['clock', 'plan', 'meetings', 'uploads', 'deliveries', 'faults', 'knobs'] as const;

function renderRest(): Markup {
  return html`<h2>Elsewhere</h2>
    <p class="row small">As JSON: ${listings.map((name) => html`<a href="/_sandbox/${name}">${name}</a>`)}</p>
    <details>
      <summary>Start over</summary>
      <p>
        Meetings, tags, uploads, deliveries and faults are forgotten; key, plan, knobs and clock are as at the
        start.
      </p>
      ${renderButtons('/_sandbox/reset', [{ label: 'Forget everything' }])}
    </details>`;
}
