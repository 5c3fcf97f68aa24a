import { html, type Markup, renderPage } from '@aftermeet/pages';

import type {
  AttentionView,
  EffectAction,
  EffectLine,
  HeldView,
  MeetingList,
  MeetingView,
  OverviewView,
  Remark,
} from './console-data.ts';
import type { Session } from './sessions.ts';

/** What every page of the console shows around its content. */
export interface Frame {
  /** Absent: a request with a bearer, which gets no forms. */
  readonly session: Session | undefined;
  /** There is no `ADMIN_TOKEN`: the console answers to this machine alone. */
  readonly isOpen: boolean;
}

const STYLE_ADDRESS = '/console/style.css';

/** Style that only the console needs. */
export const consoleStyle = `
body > nav { margin: 0; border-bottom: 1px solid var(--line); background: var(--card); }
body > nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; margin: 0 auto; padding: 12px 20px; max-width: 960px; }
body > nav .end { margin-left: auto; }
body > nav a[aria-current] { color: var(--ink); text-decoration: none; font-weight: 600; }
main { max-width: 960px; }
.notice { border-left: 3px solid var(--wait); padding: 4px 0 4px 14px; }
.lines { list-style: none; padding: 0; }
.lines > li { padding: 3px 0; }
.link { font: inherit; font-weight: 400; border: 0; padding: 0; background: none; color: var(--accent); text-decoration: underline; }
.card h2 { margin: 0 0 6px; }
.numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; padding: 0; list-style: none; }
.numbers strong { display: block; font-size: 1.6rem; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 20px; }
`;

const places = [
  ['/console', 'Meetings'],
  ['/console/attention', 'Needs you'],
  ['/console/waiting', 'Waiting'],
  ['/console/approvals', 'Approvals'],
  ['/console/overview', 'Overview'],
] as const;

function page(
  { session, isOpen }: Frame,
  { title, lead, body, at }: { title: string; lead?: string | undefined; body: Markup; at?: string },
): string {
  const nav = html`<a class="skip" href="#content">Skip to the content</a>
    <nav aria-label="Console">
      <ul>
        ${places.map(([address, name]) => {
          const current = address === at ? html` aria-current="page"` : html``;
          return html`<li><a href="${address}" ${current}>${name}</a></li>`;
        })}
        ${
          session !== undefined &&
          !isOpen &&
          html`<li class="end">
            <form method="post" action="/console/logout">
              ${formToken(session)}<button class="link">Log out</button>
            </form>
          </li>`
        }
      </ul>
    </nav>`;
  const notice =
    isOpen &&
    html`<p class="notice small">
      There is no ADMIN_TOKEN: the console answers to this machine alone. Set one to open it to others.
    </p>`;
  const text = renderPage({
    title,
    lead,
    styleAddress: STYLE_ADDRESS,
    nav,
    body: html`<div id="content">${notice}${body}</div>`,
  });
  return text.replaceAll(misleading, '');
}

/** Marks that turn text around, and characters that show nothing. */
const misleading = /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

function formToken({ csrf }: Session): Markup {
  return html`<input type="hidden" name="form" value="${csrf}" />`;
}

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
    body: html`<form class="fields" method="get" action="/console" role="search">
        <label>Title or id <input name="words" value="${search.words}" maxlength="200" /></label>
        <label class="short">Until the day <input name="day" type="date" value="${search.day}" /></label>
        <button>Search</button>
      </form>
      ${meetings.map(renderMeetingLine)}
      ${
        meetings.length === 0 &&
        html`<p class="empty">
          No meeting found. One is listed when a worker has taken its first delivery; refused deliveries are
          counted in <a href="/console/overview">the overview</a>.
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
      ${effects.length === 0 ? html`<p class="empty">Nothing was to be sent.</p>` : renderEffects(effects, true)}`,
  });
}

/** Undefined: nothing is known of it. */
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

export function renderAttention(frame: Frame, view: AttentionView): string {
  return page(frame, {
    title: 'Needs you',
    lead: 'What is not sent unless somebody sees to it.',
    at: '/console/attention',
    body: html`${renderNotices(view.notices)}
    ${
      view.effects.length === 0
        ? html`<p class="empty">
            ${view.notices.length === 0 ? 'Nothing needs you.' : 'No single message needs you.'}
          </p>`
        : renderEffects(view.effects)
    }
    ${view.isMore && html`<p class="soft small">There are more: aftermeet effects list shows all.</p>`}`,
  });
}

export function renderWaiting(frame: Frame, view: AttentionView): string {
  return page(frame, {
    title: 'Waiting',
    lead: 'What is tried again by itself, and when.',
    at: '/console/waiting',
    body: html`${renderNotices(view.notices)}
    ${view.effects.length === 0 ? html`<p class="empty">Nothing waits.</p>` : renderEffects(view.effects)}
    ${view.isMore && html`<p class="soft small">There are more: aftermeet effects list --state waiting shows all.</p>`}`,
  });
}

function renderNotices(notices: readonly string[]): Markup {
  return html`${notices.map((notice) => html`<p class="notice">${notice}</p>`)}`;
}

function renderEffects(effects: readonly EffectLine[], isOfMeeting = false): Markup {
  return html`${effects.map(
    (effect) =>
      html`<article class="card">
        <p class="row">
          <strong>${nameEffect(effect)}</strong> <span class="pill ${effect.tone}">${effect.state}</span>
          ${effect.changedAtMs !== undefined && html`<span class="end small soft">${renderTime(effect.changedAtMs)}</span>`}
        </p>
        ${effect.cause !== undefined && html`<p>${effect.cause}</p>`}
        ${effect.nextTryMs !== undefined && html`<p class="small">Next try ${renderTime(effect.nextTryMs)}</p>`}
        ${effect.reference !== undefined && html`<p class="small soft">At ${effect.reference}</p>`}
        <p class="small row">
          ${!isOfMeeting && html`<a href="${meetingAddress(effect.meetingId)}">Meeting</a>`}
          <a href="/console/effects/${effect.effectKey}">
            ${effect.actions.length === 0 ? 'Details' : 'See to it'}<span class="skip">
              of ${nameEffect(effect)}</span
            >
          </a>
        </p>
      </article>`,
  )}`;
}

const actionWords: Readonly<Record<Exclude<EffectAction, 'review'>, readonly [string, string]>> = {
  retry: [
    'Try again',
    'A worker takes it now. If it may have been sent, its destination is asked first, so that nothing comes twice.',
  ],
  sent: ['It arrived', 'You have seen it at its destination. Nothing more is sent.'],
  'not-sent': [
    'It did not arrive',
    'You have looked at its destination, and it is not there. It is sent now, without another look.',
  ],
};

/** One effect, and what can be done about it: what will happen stands beside each button. */
export function renderEffect(frame: Frame, effect: EffectLine): string {
  const { effectKey, actions } = effect;
  const { session } = frame;
  return page(frame, {
    title: nameEffect(effect),
    lead: effectKey,
    body: html`${renderEffects([effect])}
    ${actions.map((action) =>
      action === 'review'
        ? html`<p>
            <a class="button primary" href="/console/approvals/${effectKey}"
              >See it, and approve or discard it</a
            >
          </p>`
        : html`<section class="card">
            <p>${actionWords[action][1]}</p>
            ${
              session === undefined
                ? html`<p class="soft">Log in to do it.</p>`
                : html`<form method="post" action="/console/effects/${effectKey}/${action}">
                    ${formToken(session)}<button>${actionWords[action][0]}</button>
                  </form>`
            }
          </section>`,
    )}
    ${actions.length === 0 && html`<p class="soft">There is nothing to do.</p>`}`,
  });
}

/** What an action did. */
export function renderDone(
  frame: Frame,
  sentence: string,
  effect: Pick<EffectLine, 'meetingId'> | undefined,
): string {
  return page(frame, {
    title: 'Done',
    body: html`<p role="status">${sentence}</p>
      <p class="row">
        ${effect !== undefined && html`<a href="${meetingAddress(effect.meetingId)}">Its meeting</a>`}
        <a href="/console/attention">What needs you</a>
      </p>`,
  });
}

export function renderApprovals(frame: Frame, held: readonly EffectLine[]): string {
  return page(frame, {
    title: 'Approvals',
    lead: 'Mail to people outside, which waits until somebody has read it.',
    at: '/console/approvals',
    body: held.length === 0 ? html`<p class="empty">Nothing waits for approval.</p>` : renderEffects(held),
  });
}

/** A held message as its recipient will see it. An approval counts for exactly this. */
export function renderHeld(
  frame: Frame,
  { effect, to, subject, text, html: body, drawn, contentHash, problem }: HeldView,
) {
  const { session } = frame;
  const { effectKey } = effect;
  return page(frame, {
    title: subject ?? nameEffect(effect),
    lead: to === undefined ? undefined : `To ${to}`,
    body: html`${problem !== undefined && html`<p class="notice">It cannot be shown: ${problem}.</p>`}
      ${body !== undefined && html`<iframe sandbox="" title="The mail" src="/console/approvals/${effectKey}/mail"></iframe>`}
      ${drawn}
      ${
        text !== undefined &&
        html`<details>
          <summary>As plain text</summary>
          <pre>${text}</pre>
        </details>`
      }
      ${
        session !== undefined &&
        html`<div class="buttons">
          ${
            contentHash !== undefined &&
            html`<form method="post" action="/console/approvals/${effectKey}/approve">
              ${formToken(session)}<input type="hidden" name="content" value="${contentHash}" />
              <button class="button primary">
                Approve: send exactly this${to !== undefined && ` to ${to}`}
              </button>
            </form>`
          }
          <form method="post" action="/console/approvals/${effectKey}/discard">
            ${formToken(session)}<button>Discard: it is never sent</button>
          </form>
        </div>`
      }
      <p><a href="${meetingAddress(effect.meetingId)}">Its meeting</a></p>`,
  });
}

export function renderOverview(
  frame: Frame,
  overview: OverviewView,
  refusals: readonly { readonly atMs: number; readonly endpoint: string; readonly cause: string }[],
): string {
  const numbers = [
    ...Object.entries(overview.effects),
    ['deliveries that no worker has taken', overview.waitingDeliveries] as const,
    ['effects that wait', overview.waitingEffects] as const,
  ];
  return page(frame, {
    title: 'Overview',
    at: '/console/overview',
    body: html`${renderNotices(overview.notices)}
      <ul class="numbers">
        ${numbers.map(([name, count]) => html`<li><strong>${count}</strong> ${name}</li>`)}
      </ul>
      <h2>Refused deliveries</h2>
      ${
        refusals.length === 0
          ? html`<p class="empty">None is stored.</p>`
          : html`<ul class="lines">
              ${refusals.map(({ atMs, endpoint, cause }) => html`<li>${renderTime(atMs)} <strong>${endpoint}</strong> ${cause}</li>`)}
            </ul>`
      }`,
  });
}

/** The form that asks for `ADMIN_TOKEN`. `next`: the path that was asked for. */
export function renderLogin(problem: string | undefined, next: string): string {
  return renderPage({
    title: 'Log in',
    styleAddress: STYLE_ADDRESS,
    body: html`${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
      <form class="fields" method="post" action="/console/login">
        <input type="hidden" name="next" value="${next}" />
        <label
          >ADMIN_TOKEN <input name="token" type="password" autocomplete="current-password" required
        /></label>
        <button>Log in</button>
      </form>`,
  });
}

/** Any other refusal, in a sentence. */
export function renderRefusal(title: string, sentence: string): string {
  return renderPage({ title, styleAddress: STYLE_ADDRESS, body: html`<p>${sentence}</p>` });
}

function renderTime(atMs: number): Markup {
  const iso = new Date(atMs).toISOString();
  return html`<time class="small soft" datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function nameMeeting(title: string | undefined, meetingId: string): string {
  const shown = title?.trim() ?? '';
  return shown === '' ? meetingId : shown.slice(0, MAX_TITLE);
}

const MAX_TITLE = 300;

function nameEffect({ recipe, destination, part }: EffectLine): string {
  return `${recipe} to ${destination}${part === 0 ? '' : ` (${part})`}`;
}

function meetingAddress(meetingId: string): string {
  return `/console/meetings/${encodeURIComponent(meetingId)}`;
}
