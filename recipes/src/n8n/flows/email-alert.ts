import { mailMessageCode } from '../code/mail-message.ts';
import type { Order } from '../order.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { mailSettings, sendMail } from '../steps/send-mail.ts';
import { writeAlert } from '../steps/write-message.ts';
import { alertNotes, alertWords } from './slack-alert.ts';

/** What went wrong, by mail. */
export function drawEmailAlert(order: Order): void {
  const { mail_from, mail_to } = mailSettings(order);
  receiveDelivery(order, { mail_from, mail_to: mail_to || 'operator@example.com' });
  pickEvents(order);
  writeAlert(
    order,
    [mailMessageCode],
    `${alertWords.trim()}\nconst written = mailBody(headline, facts, [{ title: 'What happened', lines }], undefined);\nreturn listAddresses(settings.mail_to).map((to) => ({ json: { to, subject: cutText(headline, 200), ...written } }));`,
  );
  sendMail(order);
  order.notes.push(...alertNotes);
}
