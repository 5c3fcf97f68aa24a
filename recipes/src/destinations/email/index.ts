import type { Destination } from '../../engine/destination.ts';
import type { MailMessage } from './compose-mail.ts';
import { openMail } from './send-mail.ts';
import type { MailSettings } from './settings.ts';
import { mailTimeouts } from './smtp-connection.ts';

/** Mail over SMTP, one mail for each recipient. */
export const email: Destination<MailSettings, MailMessage> = {
  name: 'email',
  policy: { concurrency: 8 },
  needs: 'SMTP_URL and MAIL_FROM',
  // A mail server that has the mail gets five timeouts to say so.
  longestCallMs: ({ timeoutMs }) => 6 * timeoutMs,
  open: (settings, { policy, service }) => openMail(settings, mailTimeouts(policy), service),
};
