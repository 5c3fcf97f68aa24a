import { type Destination, openWhenLoaded } from '../../engine/destination.ts';
import type { MailMessage } from './compose-mail.ts';
import { renderApprovalMail } from './render-approval-mail.ts';
import type { MailSettings } from './settings.ts';

/** Mail over SMTP, one mail for each recipient. */
export const email: Destination<MailSettings, MailMessage> = {
  name: 'email',
  policy: { concurrency: 8 },
  isUntraceable: true,
  needs: 'SMTP_URL and MAIL_FROM',
  // A mail server that has the mail gets five timeouts to say so.
  maxCallMs: ({ timeoutMs }) => 6 * timeoutMs,
  check: (settings, _needs, timeoutMs) => [
    import('./check.ts').then(({ checkMail }) => checkMail(settings, timeoutMs)),
  ],
  readRecipients: (_message, target) => [target],
  readDraft: ({ subject, text }) => ({ subject, text }),
  askApproval: renderApprovalMail,
  draw: async (message) => (await import('./draw.ts')).drawMail(message),
  write: async (message) => (await import('./draw.ts')).writeMail(message),
  open: (settings, { policy, service }) =>
    openWhenLoaded(async () => {
      const [{ openMail }, { mailTimeouts }] = await Promise.all([
        import('./send-mail.ts'),
        import('./smtp-connection.ts'),
      ]);
      return openMail(settings, mailTimeouts(policy), service);
    }),
};
