import { isOwnUnknown, readOwnPeople } from '../../email/choose-recipients.ts';
import type { Order } from '../order.ts';
import { setting } from './settings.ts';

/** What the node "Settings" needs for it. */
export function mailSettings(
  order: Order,
): Readonly<Record<'mail_from' | 'mail_to' | 'internal_domains', string>> {
  const { mail } = order.options.destinations ?? {};
  const from = mail?.from ?? 'Aftermeet <notes@example.com>';
  const wanted = order.list('to') ?? mail?.to ?? [];
  const to = wanted.filter((one) => one.includes('@'));
  const rules = wanted.filter((one) => !one.includes('@') && (one !== 'internal' || to.length > 0));
  if (rules.length > 0) {
    order.notes.push(
      `These rules for recipients are left out: ${rules.join(', ')}. Without addresses in \`mail_to\` the mail stays inside.`,
    );
  }
  return {
    mail_from: from,
    mail_to: to.join(', '),
    internal_domains: listOwnDomains({ ...mail, from }),
  };
}

/** Nobody's, where nothing but the sender's own address is known: at a public provider everybody else is a stranger. */
function listOwnDomains(mail: Parameters<typeof readOwnPeople>[0]): string {
  return isOwnUnknown(mail) ? '' : readOwnPeople(mail).join(', ');
}

/** Sends a mail for each item: to one person, with text and HTML. */
export function sendMail({ canvas }: Order): void {
  canvas.add({
    name: 'Send the mail',
    kind: 'email',
    credential: 'mail',
    parameters: {
      resource: 'email',
      operation: 'send',
      fromEmail: `={{ ${setting('mail_from')} }}`,
      toEmail: '={{ $json.to }}',
      subject: '={{ $json.subject }}',
      emailFormat: 'both',
      text: '={{ $json.text }}',
      html: '={{ $json.html }}',
      options: { appendAttribution: false },
    },
  });
}
