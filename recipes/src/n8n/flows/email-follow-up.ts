import { mailMessageCode } from '../code/mail-message.ts';
import type { Order } from '../order.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { mailSettings, sendMail } from '../steps/send-mail.ts';
import { writeMessage } from '../steps/write-message.ts';

const body = String.raw`
const named = listAddresses(settings.mail_to);
const recipients = (named.length > 0 ? named : insiders(report, settings.internal_domains)).filter((to) => !isExcepted(to, settings.except));
const subject = cutText('Recap: ' + report.title, 200);
const written = mailBody(report.title, factsOf(report), sectionsOf(report), link);
return recipients.map((to) => ({ json: { send: true, to, subject, ...written } }));
`;

/** The recap of a meeting, as one mail for each recipient. */
export function drawEmailFollowUp(order: Order): void {
  const mail = mailSettings(order);
  receiveDelivery(order, {
    ...fetchSettings,
    ...mail,
    except: (order.list('except') ?? []).join(', '),
    link: order.text('link') ?? '',
  });
  pickEvents(order);
  fetchReport(order);
  writeMessage(order, [mailMessageCode], body);
  sendMail(order);
  if (mail.internal_domains === '') {
    order.notes.push(
      'The sender is at a public mail provider, where everybody else is a stranger: `internal_domains` is empty, and only the addresses in `mail_to` are written to.',
    );
  }
  order.notes.push(
    'The mail goes to the addresses in `mail_to`; without any, to those who took part and have an address of `internal_domains`. There are no drafts: people outside are never written to unless `mail_to` names them.',
    'A mail has no Message-ID of its own choice, no attachment and no .ics: the Send Email node cannot set the first, and the others are left out.',
  );
}
