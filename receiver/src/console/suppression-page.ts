import { html } from '@aftermeet/pages';

import type { SuppressedReader } from './console-data.ts';
import { formToken, type Frame, page, renderTime } from './frame.ts';

/** Who gets no mail and no direct message, and the forms that change it. `problem`: why the last change was refused. */
export function renderSuppressions(
  frame: Frame,
  list: readonly SuppressedReader[],
  problem?: string,
): string {
  const { session } = frame;
  return page(frame, {
    title: 'Suppressed',
    lead: 'Who gets no mail and no direct message of any recipe. Workers follow within five seconds.',
    at: '/console/suppressed',
    body: html`${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
      ${
        session !== undefined &&
        html`<form class="fields" method="post" action="/console/suppressed/add">
          ${formToken(session)}
          <label>Address, or id of a member of Slack <input name="address" maxlength="254" required /></label>
          <button>Put on the list</button>
        </form>`
      }
      ${list.length === 0 && html`<p class="empty">The list is empty.</p>`}
      <ul class="lines">
        ${list.map(
          ({ address, meetingId, atMs, who }) =>
            html`<li>
              <strong>${address}</strong>
              ${meetingId === undefined ? 'about all meetings' : `about the meeting ${meetingId}`},
              ${renderTime(atMs)}, by ${who}
              ${
                session !== undefined &&
                html`<form method="post" action="/console/suppressed/remove">
                  ${formToken(session)}<input type="hidden" name="address" value="${address}" /><input
                    type="hidden"
                    name="meeting"
                    value="${meetingId ?? ''}"
                  /><button class="link">Remove<span class="skip"> ${address}</span></button>
                </form>`
              }
            </li>`,
        )}
      </ul>`,
  });
}
