import { html, type Markup } from '../../../web/markup.ts';
import type { SandboxWorld } from '../../sandbox-world.ts';
import { renderRest, takeNewest } from './newest.ts';
import { renderButtons } from './render-button.ts';
import { renderFillForm, renderRecordForm } from './render-meeting-forms.ts';
import { renderMeeting } from './render-meeting.ts';

/** The meetings, newest first, and what brings more of them. */
export function renderMeetings(world: Pick<SandboxWorld, 'meetings' | 'life' | 'clock'>): Markup {
  const { meetings, life, clock } = world;
  const nowMs = clock.now();
  const outlook = (meetingId: string) => ({
    transitions: life.transitions,
    nextChangeMs: life.nextChangeMs(meetingId),
    nowMs,
  });
  return html`<h2 id="meetings">Meetings</h2>
    ${
      meetings.count() === 0 &&
      html`<div class="empty">
        <p>
          No meeting yet. <code>POST /api/record-meeting</code> starts one, an upload to
          <code>/api/video</code> brings one.
        </p>
        ${renderButtons('/_sandbox/seed#meetings', [{ label: 'Fill with meetings' }])}
      </div>`
    }
    <details>
      <summary>Add meetings</summary>
      <div class="card">
        ${renderRecordForm()}
        <hr />
        ${renderFillForm()}
      </div>
    </details>
    ${takeNewest(meetings.list()).map((meeting) => renderMeeting(meeting, outlook(meeting.id)))}
    ${renderRest(meetings.count(), '/_sandbox/meetings')}`;
}
