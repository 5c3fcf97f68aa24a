import { createPrivateKey } from 'node:crypto';

import { z } from 'zod';

import { type CheckResult, failed, ok, warning } from '../../engine/check-result.ts';
import { findSentMail } from './find-sent-mail.ts';
import { isInternalUnknown } from './recipients.ts';
import type { MailSettings } from './settings.ts';
import { adviceOnTls, isCertificateCode, isTlsRefused, openSmtpConnection } from './smtp-connection.ts';

/** Checks the mail server, the DKIM key, the mailbox, and whether it is known who is internal. Never rejects. */
export async function checkMail(settings: MailSettings, timeoutMs: number): Promise<readonly CheckResult[]> {
  const { dkim, imap } = settings;
  const [server, mailbox] = await Promise.all([
    checkMailServer(settings, timeoutMs),
    imap && checkMailbox(imap, timeoutMs),
  ]);
  return [
    server,
    ...checkInternalDomains(settings),
    ...(dkim === undefined ? [] : [checkDkim(dkim)]),
    ...(mailbox === undefined ? [] : [mailbox]),
  ];
}

const CERTIFICATE_ADVICE =
  'Its certificate does not hold: SMTP_URL has to name the server as the certificate does, and NODE_EXTRA_CA_CERTS the file of an authority of your own.';

const smtpErrorSchema = z.object({
  code: z
    .string()
    .regex(/^[A-Z_\d]{1,40}$/)
    .optional(),
  originalCode: z.string().optional(),
  responseCode: z.number().int().optional(),
});

/** Connects to the mail server with TLS and login, without sending a mail. Never throws. */
export async function checkMailServer(settings: MailSettings, timeoutMs: number): Promise<CheckResult> {
  const name = 'mail server';
  const connection = openSmtpConnection(settings, { untilDotMs: timeoutMs, afterDotMs: timeoutMs });
  try {
    await connection.transport.verify();
    return ok(name, 'it takes the connection and the login');
  } catch (error) {
    if (isTlsRefused(error)) {
      return failed(name, `${connection.server} offers no TLS`, `Either ${adviceOnTls}.`);
    }
    const { code, responseCode } = readSmtpError(error);
    const answer = responseCode === undefined ? code : `${code}, ${responseCode}`;
    if (code === 'EAUTH' || code === 'EOAUTH2') {
      const source = settings.oauth2 === undefined ? 'user and password of SMTP_URL' : 'mail.oauth2';
      return failed(name, `it refuses the login (${answer})`, `Check ${source}.`);
    }
    const advice = isCertificateCode(code) ? CERTIFICATE_ADVICE : adviseOf(code, responseCode);
    return failed(name, `it can't be used (${answer})`, `Check SMTP_URL. ${advice}`.trim());
  } finally {
    connection.transport.close({ force: true });
  }
}

/** For failed connections the system's code, which is in the message, says more than the SDK's. */
function readSmtpError(error: unknown): {
  readonly code: string;
  readonly responseCode?: number | undefined;
} {
  const { code = 'unknown', originalCode = '', responseCode } = smtpErrorSchema.safeParse(error).data ?? {};
  if (isCertificateCode(originalCode)) return { code: originalCode };
  const text = error instanceof Error ? error.message : '';
  const system = /\b(?:ECONN[A-Z]+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b/.exec(text)?.[0];
  return { code: system ?? code, responseCode };
}

/** Checks whether the DKIM key can sign. */
export function checkDkim({ privateKey }: NonNullable<MailSettings['dkim']>): CheckResult {
  try {
    const { asymmetricKeyType: type } = createPrivateKey(privateKey);
    // RFC 6376. With an Ed25519 key (RFC 8463) the mail library sends unsigned mail.
    if (type === 'rsa') return ok('DKIM key', 'a key of the type rsa');
    return failed(
      'DKIM key',
      `it is of the type ${type ?? 'unknown'}`,
      'Use an RSA key: other keys are not supported.',
    );
  } catch {
    return failed(
      'DKIM key',
      "mail.dkim.private_key can't be read",
      'Expected: an unencrypted private key as PEM.',
    );
  }
}

/** Warns when the internal domains are unknown. */
export function checkInternalDomains(
  mail: Pick<MailSettings, 'internalDomains' | 'from'>,
): readonly CheckResult[] {
  if (!isInternalUnknown(mail)) return [];
  const found = 'MAIL_FROM is at a public provider: only its own address counts as internal';
  return [warning('own people', found, 'Set mail.internal_domains.')];
}

/** Signs in to the mailbox and searches for a mail that does not exist. Never throws. */
export async function checkMailbox(
  imap: NonNullable<MailSettings['imap']>,
  timeoutMs: number,
): Promise<CheckResult> {
  const probe = await findSentMail(imap, '<doctor@aftermeet.invalid>', timeoutMs);
  return 'cause' in probe
    ? failed('mailbox', probe.cause, 'Check IMAP_URL and IMAP_MAILBOX.')
    : ok('mailbox', 'it takes the login and can be searched');
}

function adviseOf(code: string, responseCode: number | undefined): string {
  if (code === 'ESOCKET' || code === 'ETLS')
    return 'smtps:// is for port 465; smtp:// turns to TLS by itself.';
  if (/^(?:EDNS|ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'The name of the server leads nowhere.';
  // One that answers is reached.
  return responseCode === undefined && /^E(?:CONN|TIMEDOUT|HOST|NET)/.test(code)
    ? 'Is the port right, and open from here?'
    : '';
}
