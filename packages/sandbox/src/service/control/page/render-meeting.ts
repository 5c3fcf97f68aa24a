import { html, type Markup } from '../../../web/markup.ts';
import { readReceiver } from '../../deliveries/read-receiver.ts';
import { isUnderWay } from '../../life/find-next-change.ts';
import type { Meeting } from '../../meeting.ts';
import { describeCron } from './describe-cron.ts';
import { describeNextChange, type Outlook } from './describe-next-change.ts';
import { renderButtons } from './render-button.ts';
import { renderTime } from './render-time.ts';
import { shorten } from './shorten.ts';

const tones: Readonly<Record<Meeting['status'], string>> = {
  queued: 'wait',
  recording: 'wait',
  processing: 'wait',
  new: 'good',
  processed: 'good',
  failed: 'bad',
};

/** One meeting: what it is, to what it moves on, and the buttons that end it. Its link may be an invitation, and is not shown. */
export function renderMeeting(meeting: Meeting, outlook: Outlook): Markup {
  const { id, title, status, cron, failureReason } = meeting;
  const next = describeNextChange(meeting, outlook);
  const buttons = renderEndings(meeting);
  return html`<article class="card" id="meeting-${id}">
    <div class="row head">
      <h3><bdi>${shorten(title, 200)}</bdi></h3>
      <span class="pill end ${tones[status]}">${status}</span>
    </div>
    ${status === 'failed' && failureReason !== undefined && html`<p class="bad">${shorten(failureReason, 500)}</p>`}
    <p class="small soft">
      ${renderTime(meeting.localDateTime)} · ${shorten(meeting.source, 50)} · ${describeReceiver(meeting)}
      ${isReady(meeting) && meeting.isTranscriptEmpty && '· nobody spoke'} · <code>${id}</code>
    </p>
    ${cron !== undefined && html`<p class="small soft">Series: ${shorten(describeCron(cron), 300)} (<code>${shorten(cron, 100)}</code>)</p>`}
    ${next !== undefined && html`<p class="small">${next}</p>`}
    ${
      isUnderWay(meeting)
        ? buttons
        : html`<details class="small">
            <summary>End it once more</summary>
            ${buttons}
          </details>`
    }
  </article>`;
}

function renderEndings({ id, title }: Meeting): Markup {
  const path = `/_sandbox/meetings/${encodeURIComponent(id)}`;
  const about = shorten(title, 60);
  return renderButtons(`${path}/complete#meeting-${id}`, [
    { label: 'Complete', about },
    { label: 'Complete, nobody spoke', about, field: ['is_transcript_empty', 'true'] },
    { label: 'Fail', about, action: `${path}/fail#meeting-${id}` },
  ]);
}

function isReady({ status }: Meeting): boolean {
  return status === 'new' || status === 'processed';
}

/** Without its path, which may be a capability. */
function describeReceiver({ webhookUrl }: Meeting): string {
  if (webhookUrl === undefined) return 'no receiver';
  return `tells ${readReceiver(webhookUrl)?.origin ?? 'an address that is none of http or https'}`;
}
