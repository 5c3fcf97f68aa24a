import { html, type Markup } from '../web/markup.ts';
import { renderLink } from '../web/render-link.ts';
import { renderPage } from '../web/render-page.ts';
import type { DeliveryAttempt, DeliveryView } from './delivery.ts';
import type { Meeting } from './meeting.ts';

/** A place elsewhere that people may want to open from the sandbox's page. */
export interface PageLink {
  readonly label: string;
  readonly url: string;
}

/** The page for people: meetings and deliveries, newest first, with buttons that move them on. */
export function renderSandboxPage(
  meetings: readonly Meeting[],
  deliveries: readonly DeliveryView[],
  links: readonly PageLink[],
): string {
  return renderPage({
    title: 'Sandbox',
    lead: 'A stand-in of the meeting service. It keeps everything on this machine, until it stops.',
    body: html`${links.length > 0 && html`<p>${links.map(({ label, url }) => html`${renderLink(url, label)} &ensp;`)}</p>`}
      <h2>Meetings</h2>
      ${
        meetings.length === 0
          ? html`<p class="empty">
              No meeting yet. <code>POST /api/record-meeting</code> starts one, an upload to
              <code>/api/video</code> brings one.
            </p>`
          : meetings.toReversed().map(renderMeeting)
      }
      <h2>Deliveries</h2>
      ${
        deliveries.length === 0
          ? html`<p class="empty">
              No delivery yet. One is sent when a meeting with a webhook address completes or fails.
            </p>`
          : deliveries.toReversed().map((delivery) => renderDelivery(delivery, meetings))
      }
      <h2>Elsewhere</h2>
      <div class="row">
        <a href="/_sandbox/deliveries">Deliveries as JSON</a>
        <a href="/_sandbox/uploads">Uploads as JSON</a>
        ${renderButton('/_sandbox/reset', 'Forget everything', 'end')}
      </div>`,
  });
}

const statusTones: Readonly<Record<Meeting['status'], string>> = {
  queued: 'wait',
  recording: 'wait',
  processing: 'wait',
  new: 'good',
  processed: 'good',
  failed: 'bad',
};

function renderMeeting(meeting: Meeting): Markup {
  const path = `/_sandbox/meetings/${encodeURIComponent(meeting.id)}`;
  return html`<article class="card">
    <div class="row head">
      <strong>${meeting.title}</strong
      ><span class="pill end ${statusTones[meeting.status]}">${meeting.status}</span>
    </div>
    <p class="small soft">
      ${formatTime(meeting.localDateTime)} · ${meeting.source} · <code>${meeting.id}</code>
    </p>
    <div class="row">
      ${renderButton(`${path}/complete`, 'Complete')}
      ${renderButton(`${path}/complete`, 'Complete, nobody spoke', '', html`<input type="hidden" name="is_transcript_empty" value="true" />`)}
      ${renderButton(`${path}/fail`, 'Fail')}
    </div>
  </article>`;
}

const stateTones: Readonly<Record<DeliveryView['state'], readonly [tone: string, label: string]>> = {
  waiting: ['wait', 'waiting'],
  delivered: ['good', 'delivered'],
  given_up: ['bad', 'given up'],
};

function renderDelivery(delivery: DeliveryView, meetings: readonly Meeting[]): Markup {
  const [tone, label] = stateTones[delivery.state];
  const title = meetings.find(({ id }) => id === delivery.meetingId)?.title ?? delivery.meetingId;
  return html`<article class="card">
    <div class="row head">
      <strong>${delivery.event}</strong><span>${title}</span><span class="pill end ${tone}">${label}</span>
    </div>
    <p class="small soft">
      to ${delivery.receiver} · ${delivery.isSigned ? 'signed' : 'not signed'} · <code>${delivery.id}</code>
    </p>
    ${
      delivery.attempts.length > 0 &&
      html`<ol class="small">
        ${delivery.attempts.map(renderAttempt)}
      </ol>`
    }
    <div class="row">
      ${delivery.nextAttemptAt !== undefined && html`<span class="small soft">Next attempt ${formatTime(delivery.nextAttemptAt)}</span>`}
      ${renderButton(`/_sandbox/deliveries/${encodeURIComponent(delivery.id)}/redeliver`, 'Deliver again')}
    </div>
  </article>`;
}

function renderAttempt({ at, status, error, elapsedMs }: DeliveryAttempt): Markup {
  const outcome = status === undefined ? (error ?? '') : `answered ${String(status)}`;
  return html`<li>${formatTime(at)}: ${outcome} in ${elapsedMs} ms</li>`;
}

function renderButton(action: string, label: string, extraClass = '', fields?: Markup): Markup {
  return html`<form method="post" action="${action}" class="${extraClass}">
    ${fields}<button>${label}</button>
  </form>`;
}

function formatTime(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
