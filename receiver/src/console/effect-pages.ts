import { html, type Markup } from '@aftermeet/pages';

import type { RefusedDeliveries } from '../delivery-tally.ts';
import type { AttentionView, EffectAction, EffectLine, MessageView, ReplayView } from './console-data.ts';
import { formToken, type Frame, meetingAddress, page, renderTime } from './frame.ts';
import { renderRefused } from './refusals.ts';

export function renderAttention(
  frame: Frame,
  view: AttentionView,
  refused: readonly RefusedDeliveries[],
): string {
  const isQuiet = view.notices.length === 0 && refused.length === 0;
  return page(frame, {
    title: 'Needs you',
    lead: 'What is not sent unless somebody sees to it.',
    at: '/console/attention',
    isLive: true,
    body: html`${renderNotices(view.notices)}
    ${
      view.effects.length === 0
        ? html`<p class="empty">${isQuiet ? 'Nothing needs you.' : 'No single message needs you.'}</p>`
        : renderEffects(view.effects)
    }
    ${view.isMore && html`<p class="soft small">There are more: aftermeet effects list shows all.</p>`}
    ${
      refused.length > 0 &&
      html`<h2>Deliveries that this receiver refused in the last day</h2>
        ${renderRefused(refused)}`
    }`,
  });
}

export function renderWaiting(frame: Frame, view: AttentionView): string {
  return page(frame, {
    title: 'Waiting',
    lead: 'What is tried again by itself, and when.',
    at: '/console/waiting',
    isLive: true,
    body: html`${renderNotices(view.notices)}
    ${view.effects.length === 0 ? html`<p class="empty">Nothing waits.</p>` : renderEffects(view.effects)}
    ${view.isMore && html`<p class="soft small">There are more: aftermeet effects list --state waiting shows all.</p>`}`,
  });
}

export function renderNotices(notices: readonly string[]): Markup {
  return html`${notices.map((notice) => html`<p class="notice">${notice}</p>`)}`;
}

export function renderEffects(effects: readonly EffectLine[], isOfMeeting = false): Markup {
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
          ${effect.hasAddress && html`<a href="/console/effects/${effect.effectKey}/there">Open it in ${effect.destination}</a>`}
          <a href="/console/effects/${effect.effectKey}">
            ${nameLink(effect)}<span class="skip"> of ${nameEffect(effect)}</span>
          </a>
        </p>
      </article>`,
  )}`;
}

function nameLink({ actions }: EffectLine): string {
  return actions.some((action) => action !== 'resend' && action !== 'recall') ? 'See to it' : 'Details';
}

const actionWords: Readonly<Record<Exclude<EffectAction, 'review'>, readonly [string, string]>> = {
  retry: [
    'Try again',
    'A worker takes it now. If it may have been sent, its destination is asked first, so that nothing comes twice.',
  ],
  resend: [
    'Send again',
    'It was deleted at its destination, or taken back. The destination is asked first: what is still there is not sent a second time. Where it cannot be asked (mail), the effect waits until you say that it is not there.',
  ],
  recall: [
    'Take back',
    'It is deleted at its destination, with the replies that belong to it, and nothing sends it again by itself. A page of Notion goes to the trash.',
  ],
  sent: ['It arrived', 'You have seen it at its destination. Nothing more is sent.'],
  'not-sent': [
    'It did not arrive',
    'You have looked at its destination, and it is not there. It is sent now, without another look.',
  ],
  dismiss: [
    'Dismiss',
    'Nothing is to be done about it. It stands here no more; your reason stands in its meeting.',
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
                      ${formToken(session)}
                      ${action === 'dismiss' && html`<label>Reason <input name="reason" maxlength="200" required /></label>`}
                      <p><button>${actionWords[action][0]}</button></p>
                    </form>`
              }
            </section>`,
      )}
      ${actions.length === 0 && html`<p class="soft">There is nothing to do.</p>`}
      <p>
        <a href="/console/effects/${effectKey}/message">Show the message as it would be sent now</a> (who
        looks is logged)
      </p>`,
  });
}

/** What was sent cannot be opened. */
export function renderNotThere(frame: Frame, effectKey: string, problem: string): string {
  return page(frame, {
    title: 'It cannot be opened',
    body: html`<p class="notice">${problem}.</p>
      <p><a href="/console/effects/${effectKey}">The effect</a>, where it can be sent again</p>`,
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
    isLive: true,
    body: held.length === 0 ? html`<p class="empty">Nothing waits for approval.</p>` : renderEffects(held),
  });
}

/** A held message as its recipient will see it. An approval counts for exactly this. */
export function renderHeld(frame: Frame, message: MessageView): string {
  const { session } = frame;
  const { effect, to, subject, contentHash } = message;
  const { effectKey } = effect;
  const isHeld = effect.actions.includes('review');
  return renderMessagePage(
    frame,
    message,
    session === undefined || !isHeld
      ? html`<p class="soft">It does not wait for approval: it is ${effect.state}.</p>`
      : html`${
            contentHash !== undefined &&
            html`<form class="fields" method="post" action="/console/approvals/${effectKey}/approve">
              ${formToken(session)}<input type="hidden" name="content" value="${contentHash}" />
              ${to !== undefined && renderDraftField('to', 'Recipient', to)}
              ${subject !== undefined && renderDraftField('subject', 'Subject', subject)}
              <button class="button primary">Approve: send exactly this</button>
            </form>`
          }
          <form method="post" action="/console/approvals/${effectKey}/discard">
            ${formToken(session)}<button>Discard: it is never sent</button>
          </form>`,
  );
}

/** A field that can be changed; what stood there is sent along, so that only a change counts as one. */
function renderDraftField(name: string, label: string, value: string): Markup {
  return html`<input type="hidden" name="draft_${name}" value="${value}" />
    <label>${label} <input name="${name}" value="${value}" maxlength="254" required /></label>`;
}

/** Any message as it would be sent now; what was sent may have been another. */
export function renderMessagePage(frame: Frame, message: MessageView, actions?: Markup): string {
  const { effect, to, subject, text, html: body, drawn, problem } = message;
  return page(frame, {
    title: subject ?? nameEffect(effect),
    lead: to === undefined ? 'As it would be sent now' : `As it would be sent now, to ${to}`,
    body: html`${problem !== undefined && html`<p class="notice">It cannot be shown: ${problem}.</p>`}
      ${body !== undefined && html`<iframe sandbox="" title="The mail" src="/console/effects/${effect.effectKey}/mail"></iframe>`}
      ${drawn !== undefined && html`<div class="card">${drawn}</div>`}
      ${
        text !== undefined &&
        html`<details>
          <summary>As plain text</summary>
          <pre>${text}</pre>
        </details>`
      }
      ${actions}
      <p><a href="${meetingAddress(effect.meetingId)}">Its meeting</a></p>`,
  });
}

/** What a replay will do, with the button that does it; afterwards, what it did. */
export function renderReplay(
  frame: Frame,
  view: ReplayView,
  {
    title,
    action,
    fields,
    isDone,
  }: {
    readonly title: string;
    /** The address of the form. */
    readonly action: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly isDone: boolean;
  },
): string {
  const { session } = frame;
  const { deliveries, effects, refused, isCut } = view;
  const changed = effects.filter(({ isChanged }) => isChanged).reduce((sum, { count }) => sum + count, 0);
  return page(frame, {
    title,
    lead: isDone ? 'Done.' : 'What would happen: nothing is changed yet.',
    body: html`<p>
        ${nameCount(deliveries, 'delivery', 'deliveries')},
        ${nameCount(changed, 'effect that is tried', 'effects that are tried')}.
      </p>
      ${isCut && html`<p class="notice">There are more deliveries in this time than one replay takes: replay it in parts.</p>`}
      <ul class="lines">
        ${effects.map(({ words, count }) => html`<li><strong>${count}</strong> ${words}</li>`)}
        ${refused.map((cause) => html`<li><strong>not replayed</strong> ${cause}</li>`)}
      </ul>
      <p class="soft">
        What was sent is not sent again. Effects of new recipes are queued, those that failed are tried again.
      </p>
      ${
        session !== undefined &&
        !isDone &&
        changed > 0 &&
        html`<form method="post" action="${action}">
          ${formToken(session)}
          ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          <button class="button primary">Replay: try ${nameCount(changed, 'effect', 'effects')}</button>
        </form>`
      }`,
  });
}

function nameCount(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The form that asks for the range of time of a replay. */
export function renderReplayForm(frame: Frame, problem: string | undefined): string {
  return page(frame, {
    title: 'Replay',
    lead: 'Runs the recipes of now on the deliveries of a time again. First it says what would happen.',
    at: '/console/replay',
    body: html`${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
      <form class="fields" method="get" action="/console/replay">
        <label class="short">Received from (UTC) <input name="from" type="datetime-local" required /></label>
        <label class="short">until (UTC) <input name="until" type="datetime-local" required /></label>
        <button>Say what would happen</button>
      </form>`,
  });
}

function nameEffect({ recipe, destination, part }: EffectLine): string {
  return `${recipe} to ${destination}${part === 0 ? '' : ` (${part})`}`;
}
