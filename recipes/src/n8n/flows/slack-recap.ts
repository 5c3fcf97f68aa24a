import { slackMessageCode } from '../code/slack-message.ts';
import type { Order } from '../order.ts';
import { postToSlack, slackSettings } from '../steps/call-slack.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { writeMessage } from '../steps/write-message.ts';

/** The recap of a meeting, in one message of a channel. */
export function drawSlackRecap(order: Order): void {
  receiveDelivery(order, {
    ...fetchSettings,
    channel: chooseChannel(order),
    link: order.text('link') ?? '',
    ...slackSettings(order),
  });
  pickEvents(order);
  fetchReport(order);
  writeMessage(
    order,
    [slackMessageCode],
    'const message = slackMessage(settings.channel, report.title, factsOf(report), sectionsOf(report), link);\nreturn [{ json: { send: true, message } }];',
  );
  postToSlack(order);
  order.notes.push(
    'The whole recap is one message: there is no thread behind it, and what does not fit is left to the report. Owners of tasks are named, not mentioned.',
    'A report that is made again comes with a new delivery and is posted as a new message; Aftermeet itself changes the old one.',
  );
}

/** The channel of the recipe, else that of the installation, else an example. */
export function chooseChannel(order: Order): string {
  return order.text('channel') ?? order.options.destinations?.slack?.channel ?? 'C0123456789';
}
