import { slackMessageCode } from '../code/slack-message.ts';
import type { Order } from '../order.ts';
import { postToSlack, slackSettings } from '../steps/call-slack.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { writeAlert } from '../steps/write-message.ts';
import { chooseChannel } from './slack-recap.ts';

/** JavaScript that says in `headline` and `explanation` what went wrong, and in `reason` the words of the service. */
export const alertWords = String.raw`
const title = lineOf(event.title) || 'Untitled meeting';
const isEmpty = event.event === 'meeting.completed';
const headline = (isEmpty ? 'Nothing was transcribed: ' : 'Meeting failed: ') + title;
const explanation = isEmpty
  ? 'The meeting was processed, but its transcript is empty, so no recap was sent.'
  : 'The service could not process this meeting, so there is no report.';
const reason = cutText(lineOf(event.reason, 2000), 1000);
const facts = ['meeting ' + lineOf(event.meeting_id, 100), lineOf(event.occurrence, 60)].filter(Boolean);
const lines = [explanation, reason].filter(Boolean).map((text) => ({ kind: 'paragraph', pieces: [{ text }] }));
`;

export const alertNotes = [
  'There is no cooldown: each failed or empty meeting is told of. What goes wrong in n8n itself is not: set an error workflow for that.',
];

/** What went wrong, in a channel. */
export function drawSlackAlert(order: Order): void {
  receiveDelivery(order, { channel: chooseChannel(order), ...slackSettings(order) });
  pickEvents(order);
  writeAlert(
    order,
    [slackMessageCode],
    `${alertWords.trim()}\nreturn [{ json: { message: slackMessage(settings.channel, headline, facts, [{ title: 'What happened', lines }], undefined) } }];`,
  );
  postToSlack(order);
  order.notes.push(...alertNotes);
}
