import { html, type Markup } from '@aftermeet/pages';

import type { MeetingList, MeetingView, RecipeLine, Remark } from './console-data.ts';
import { renderEffects } from './effect-pages.ts';
import { type Frame, meetingAddress, page, renderTime } from './frame.ts';

/** The first page: meetings, the newest first. */
export function renderMeetings(
  frame: Frame,
  { meetings, next, searched }: MeetingList,
  search: { readonly words: string; readonly day: string },
): string {
  const query = new URLSearchParams({ ...(search.day === '' ? {} : { day: search.day }), after: next ?? '' });
  return page(frame, {
    title: 'Meetings',
    lead: 'What became of each, the newest first.',
    at: '/console',
    isLive: true,
    body: html`<form class="fields" method="get" action="/console" role="search">
        <label>Title or id <input name="words" value="${search.words}" maxlength="200" /></label>
        <label class="short">Until the day <input name="day" type="date" value="${search.day}" /></label>
        <button>Search</button>
      </form>
      ${meetings.map(renderMeetingLine)}
      ${
        meetings.length === 0 &&
        html`<p class="empty">
          No meeting found. One is listed when a worker has taken its first delivery. A delivery that was
          refused stands under <a href="/console/attention">what needs you</a>.
        </p>`
      }
      ${searched !== undefined && html`<p class="soft small">Searched the newest ${searched} meetings; an older one is found by its whole id.</p>`}
      ${next !== undefined && html`<p><a href="/console?${query.toString()}">Older meetings</a></p>`}`,
  });
}

function renderMeetingLine({ meetingId, title, endpoint, atMs, remarks }: MeetingList['meetings'][number]) {
  return html`<article class="card">
    <p class="row small soft">
      <span>${meetingId}</span>${endpoint !== undefined && html`<span>${endpoint}</span>`}
      <span class="end">${renderTime(atMs)}</span>
    </p>
    <h2><a href="${meetingAddress(meetingId)}">${nameMeeting(title, meetingId)}</a></h2>
    <ul class="lines">
      ${remarks.map(renderRemark)} ${remarks.length === 0 && html`<li class="soft">No recipe takes it.</li>`}
    </ul>
  </article>`;
}

function renderRemark({ about, words, tone }: Remark): Markup {
  return html`<li><strong>${about}</strong> <span class="${tone}">${words}</span></li>`;
}

/** The whole way of one meeting. */
export function renderMeeting(frame: Frame, meeting: MeetingView): string {
  const { meetingId, title, endpoint, steps, notTaken, effects } = meeting;
  return page(frame, {
    title: nameMeeting(title, meetingId),
    isLive: true,
    lead: [meetingId, endpoint].filter((one) => one !== undefined).join(' · '),
    body: html`<h2>What happened</h2>
      <ul class="lines">
        ${steps.map(({ atMs, words, tone }) => html`<li>${renderTime(atMs)} <span class="${tone}">${words}</span></li>`)}
      </ul>
      ${
        notTaken.length > 0 &&
        html`<h2>Recipes that did not take it</h2>
          <ul class="lines">
            ${notTaken.map(({ recipe, cause }) => html`<li><strong>${recipe}</strong> ${cause}</li>`)}
          </ul>`
      }
      <h2>Messages, pages and mails</h2>
      ${effects.length === 0 ? html`<p class="empty">Nothing was to be sent.</p>` : renderEffects(effects, true)}
      <p>
        <a href="${meetingAddress(meetingId)}/recipes"
          >What each recipe sees in it, condition by condition, and would send now</a
        >
        (who looks is logged)
      </p>
      <p><a href="${meetingAddress(meetingId)}/replay">Replay its deliveries</a></p>`,
  });
}

/** Every recipe with each condition and what it saw, and what it would send now. */
export function renderMeetingRecipes(
  frame: Frame,
  meetingId: string,
  preview: { readonly drawn: Markup } | { readonly problem: string },
): string {
  return page(frame, {
    title: 'What each recipe sees',
    lead: 'The recipes of now with the report of now. Nothing is sent, and nothing is recorded.',
    body: html`${
        'drawn' in preview
          ? preview.drawn
          : html`<p class="notice">It cannot be shown: ${preview.problem}.</p>`
      }
      <p><a href="${meetingAddress(meetingId)}">The meeting</a></p>`,
  });
}

/** Says where something was looked for that is not there. */
export function renderUnknown(frame: Frame, what: string, name: string, queueName: string): string {
  return page(frame, {
    title: `There is no such ${what}`,
    body: html`<p>
        Looked for <code>${name}</code> in the queue ${queueName}, among what workers have done in the last 90
        days.
      </p>
      <p>
        A meeting is known when a worker has taken its first delivery. <code>aftermeet reconcile</code> finds
        deliveries that never came.
      </p>`,
  });
}

/** What each recipe takes, and where it sends it; by endpoint, who reads what comes there. */
export function renderRecipes(frame: Frame, recipes: readonly RecipeLine[]): string {
  return page(frame, {
    title: 'Recipes',
    lead: 'What the settings of this receiver say.',
    at: '/console/recipes',
    body: html`${recipes.length === 0 && html`<p class="empty">There is no recipe.</p>`}
    ${recipes.map(
      ({ name, use, description, takes, destination, endpoints, problems }) =>
        html`<article class="card">
          <p class="row">
            <strong>${name}</strong> <span class="small soft">${use}</span>
            <span class="end pill">${destination ?? 'as its code says'}</span>
          </p>
          <p>${description}</p>
          <ul class="lines">
            ${takes.map((condition, index) => html`<li>${index === 0 ? 'Runs when' : 'and'} ${condition}</li>`)}
          </ul>
          <p class="small soft">Endpoints: ${endpoints.length === 0 ? 'none' : endpoints.join(', ')}</p>
          ${problems.map((problem) => html`<p class="notice">${problem}</p>`)}
        </article>`,
    )}`,
  });
}

function nameMeeting(title: string | undefined, meetingId: string): string {
  const shown = title?.trim() ?? '';
  return shown === '' ? meetingId : shown.slice(0, MAX_TITLE);
}

const MAX_TITLE = 300;
