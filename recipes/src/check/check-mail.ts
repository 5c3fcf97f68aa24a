import { createPrivateKey } from 'node:crypto';

import { z } from 'zod';

import type { MailSettings } from '../destinations.ts';
import { isOwnUnknown } from '../email/choose-recipients.ts';
import { findSentMail } from '../email/find-sent-mail.ts';
import { openMailLane } from '../email/mail-lane.ts';
import { type CheckResult, failed, ok, warning } from './check-result.ts';

const smtpErrorSchema = z.object({
  code: z
    .string()
    .regex(/^[A-Z_\d]{1,40}$/)
    .optional(),
  responseCode: z.number().int().optional(),
});

/** Connects to the mail server, with TLS and login as for a mail, and sends none. Never throws. */
export async function checkMailServer(settings: MailSettings, timeoutMs: number): Promise<CheckResult> {
  const name = 'mail server';
  const lane = openMailLane(settings, { untilDotMs: timeoutMs, afterDotMs: timeoutMs });
  try {
    await lane.transport.verify();
    return ok(name, 'it takes the connection and the login');
  } catch (error) {
    const { code, responseCode } = readSmtpError(error);
    const answer = responseCode === undefined ? code : `${code}, ${responseCode}`;
    if (code === 'EAUTH' || code === 'EOAUTH2') {
      const source = settings.oauth2 === undefined ? 'user and password of SMTP_URL' : 'mail.oauth2';
      return failed(name, `it refuses the login (${answer})`, `Check ${source}.`);
    }
    return failed(name, `it can't be used (${answer})`, `Check SMTP_URL. ${adviseOf(code)}`.trim());
  } finally {
    lane.transport.close({ force: true });
  }
}

/** Of a connection that fails the SDK's code says less than the system's, which stands in the message. */
function readSmtpError(error: unknown): {
  readonly code: string;
  readonly responseCode?: number | undefined;
} {
  const { code = 'unknown', responseCode } = smtpErrorSchema.safeParse(error).data ?? {};
  const text = error instanceof Error ? error.message : '';
  const system = /\b(?:ECONN[A-Z]+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/.exec(text)?.[0];
  return { code: system ?? code, responseCode };
}

/** Whether the key of the signature can be used. */
export function checkDkim({ privateKey }: NonNullable<MailSettings['dkim']>): CheckResult {
  try {
    const { asymmetricKeyType: type } = createPrivateKey(privateKey);
    // RFC 6376. What RFC 8463 adds (Ed25519) the mail library sends unsigned.
    if (type === 'rsa') return ok('DKIM key', 'a key of the type rsa');
    return failed(
      'DKIM key',
      `it is of the type ${type ?? 'unknown'}`,
      'Make an RSA key: nothing else signs a mail here.',
    );
  } catch {
    return failed(
      'DKIM key',
      "mail.dkim.private_key can't be read",
      'Expected: an unencrypted private key as PEM.',
    );
  }
}

/** Whether it is known whose mail needs nobody's approval. */
export function checkOwnPeople(mail: Pick<MailSettings, 'internalDomains' | 'from'>): readonly CheckResult[] {
  if (!isOwnUnknown(mail)) return [];
  const found = 'MAIL_FROM is at a public provider: nobody but its own address counts as internal';
  return [warning('own people', found, 'Set mail.internal_domains.')];
}

/** Signs in to the mailbox and searches it for a mail that nobody sent. Never throws. */
export async function checkMailbox(
  imap: NonNullable<MailSettings['imap']>,
  timeoutMs: number,
): Promise<CheckResult> {
  const probe = await findSentMail(imap, '<doctor@aftermeet.invalid>', timeoutMs);
  return 'cause' in probe
    ? failed('mailbox', probe.cause, 'Check IMAP_URL and IMAP_MAILBOX.')
    : ok('mailbox', 'it takes the login and can be searched');
}

function adviseOf(code: string): string {
  if (code === 'ESOCKET' || code === 'ETLS')
    return 'smtps:// is for port 465; smtp:// turns to TLS by itself.';
  if (/^(?:EDNS|ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'The name of the server leads nowhere.';
  return /^E(?:CONN|TIMEDOUT|HOST|NET)/.test(code) ? 'Is the port right, and open from here?' : '';
}
