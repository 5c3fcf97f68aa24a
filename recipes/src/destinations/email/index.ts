import type { Destination } from '../../engine/destination.ts';
import { checkMail } from './check.ts';
import type { MailMessage } from './compose-mail.ts';
import { openMail } from './send-mail.ts';
import type { MailSettings } from './settings.ts';
import { mailTimeouts } from './smtp-connection.ts';

/** Mail over SMTP, one mail for each recipient. */
export const email: Destination<MailSettings, MailMessage> = {
  name: 'email',
  policy: { concurrency: 8 },
  isUntraceable: true,
  needs: 'SMTP_URL and MAIL_FROM',
  // A mail server that has the mail gets five timeouts to say so.
  maxCallMs: ({ timeoutMs }) => 6 * timeoutMs,
  check: (settings, _needs, timeoutMs) => checkMail(settings, timeoutMs),
  open: (settings, { policy, service }) => openMail(settings, mailTimeouts(policy), service),
};
