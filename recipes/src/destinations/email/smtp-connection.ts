import { createTransport, type SendMailOptions } from 'nodemailer';
import { z } from 'zod';

import type { SendResult } from '../../engine/prepared-send.ts';
import { checksCertificate, requiresTls } from './server-host.ts';
import type { MailSettings } from './settings.ts';

/**
 * One connection to the mail server that sends one mail at a time, so that the SDK's log lines belong to that mail.
 */
export interface SmtpConnection {
  readonly transport: ReturnType<typeof openTransport>;
  /** The host of the server, for messages. */
  readonly server: string;
  /** Called when the final dot of a mail is written: from then on the server may have it. */
  onDotWritten: () => void;
}

/** Time limits of a mail. */
export interface MailTimeouts {
  /** Until the final dot is written. */
  readonly untilDotMs: number;
  /** From the final dot until the server answers. */
  readonly afterDotMs: number;
}

export function openSmtpConnection(settings: MailSettings, timeouts: MailTimeouts): SmtpConnection {
  const connection: SmtpConnection = {
    onDotWritten: () => {},
    server: new URL(settings.smtpUrl).hostname,
    transport: openTransport(settings, timeouts, () => connection.onDotWritten()),
  };
  return connection;
}

function openTransport(settings: MailSettings, timeouts: MailTimeouts, onDotWritten: () => void) {
  const { untilDotMs, afterDotMs } = timeouts;
  // The SDK says `tnx: 'message'` exactly when the last byte of a mail, its final dot, is written.
  const logger = {
    info: (entry: unknown) => {
      const isObject = typeof entry === 'object' && entry !== null;
      if (isObject && 'tnx' in entry && entry.tnx === 'message') onDotWritten();
    },
    // The SDK passes lines of a missing level to `info`.
    trace: () => {},
    debug: () => {},
    warn: () => {},
    error: () => {},
    fatal: () => {},
  };
  const options = {
    ...writeAuth(settings),
    ...writeDkim(settings),
    requireTLS: requiresTls(settings.smtpUrl),
    pool: true as const,
    maxConnections: 1,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: untilDotMs / 2,
    greetingTimeout: untilDotMs / 2,
    // A backstop: `transmitMail` limits both waits.
    socketTimeout: untilDotMs + afterDotMs,
    dnsTimeout: untilDotMs / 2,
    logger,
  };
  const tls = { rejectUnauthorized: checksCertificate(settings.smtpUrl) };
  const ours = [...Object.keys(options), 'tls', 'tls.rejectUnauthorized'];
  return createTransport({ url: stripServerUrl(settings, ours), ...options, tls });
}

/**
 * The server's address without query parameters that would override `options`: the SDK prefers options of the query
 * (`?pool=false`). With OAuth2 the login is removed too.
 */
export function stripServerUrl(
  { smtpUrl, oauth2 }: Pick<MailSettings, 'smtpUrl' | 'oauth2'>,
  options: readonly string[],
): string {
  const url = new URL(smtpUrl);
  for (const name of options) url.searchParams.delete(name);
  if (oauth2 !== undefined) {
    url.username = '';
    url.password = '';
  }
  return url.href;
}

/** OAuth2 login (XOAUTH2) in place of user and password in the address. */
function writeAuth({ oauth2 }: MailSettings) {
  return oauth2 === undefined ? {} : { auth: { type: 'OAuth2' as const, ...oauth2 } };
}

/**
 * Signed headers (RFC 6376 5.4.1 and RFC 8058 4). Without Message-ID: some relays replace it, which would break the signature.
 */
const signedHeaders =
  'From:Reply-To:Subject:Date:To:MIME-Version:Content-Type:In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post';

function writeDkim({ dkim }: MailSettings) {
  if (dkim === undefined) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: {
      domainName: domain,
      keySelector: selector,
      privateKey,
      headerFieldNames: signedHeaders,
      skipFields: 'message-id',
    },
  };
}

/** Calls `end` after `ms`, unless the returned function is called first. */
export type StartTimer = (ms: number, end: () => void) => () => void;

export const startTimer: StartTimer = (ms, end) => {
  const timer = setTimeout(end, ms);
  return () => clearTimeout(timer);
};

/** Sends one mail over an idle connection. Never throws. */
export async function transmitMail(
  connection: SmtpConnection,
  mail: SendMailOptions & { readonly messageId: string },
  { untilDotMs, afterDotMs }: MailTimeouts,
  start = startTimer,
): Promise<SendResult> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let callOff = start(untilDotMs, stop);
  let isDotWritten = false;
  connection.onDotWritten = () => {
    callOff();
    if (!isDotWritten) callOff = start(afterDotMs, stop);
    isDotWritten = true;
  };
  try {
    await connection.transport.sendMail({ ...mail, signal: stopping.signal });
    return { result: 'sent', reference: mail.messageId };
  } catch (error) {
    return classifyMailError(error, isDotWritten, connection.server);
  } finally {
    connection.onDotWritten = () => {};
    callOff();
  }
}

/**
 * A server may scan a mail for minutes before it answers (RFC 5321 4.5.3.2.6 allows ten), and hanging up earlier causes a
 * second delivery. A longer limit would delay closing a worker, and effects of a worker that died.
 */
export function mailTimeouts({ timeoutMs }: { readonly timeoutMs: number }): MailTimeouts {
  return { untilDotMs: timeoutMs, afterDotMs: 5 * timeoutMs };
}

/** The slowest supported upload, 4 Mbit/s: 25 MB take 50 seconds. */
const BYTES_PER_MS = 500;

/** The limits for a mail of this many bytes. */
export function mailTimeoutsFor({ untilDotMs, afterDotMs }: MailTimeouts, bytes: number): MailTimeouts {
  return { untilDotMs: untilDotMs + Math.floor(bytes / BYTES_PER_MS), afterDotMs };
}

/** Twice the time limit of a send: an older unfinished send was interrupted. Milliseconds. */
export function cutOffMs({ untilDotMs, afterDotMs }: MailTimeouts): number {
  return 2 * (untilDotMs + afterDotMs);
}

const smtpErrorSchema = z.object({
  code: z.string().optional(),
  /** What the system said, such as the code of a certificate that does not hold. */
  originalCode: z
    .string()
    .regex(/^[A-Z_\d]{1,60}$/)
    .optional()
    .catch(undefined),
  command: z.string().optional(),
  responseCode: z.number().int().optional(),
  permanent: z.boolean().optional(),
});

/**
 * Classifies a failed transaction (RFC 5321: 4yz is transient, 5yz is permanent). Without a reply the final dot decides: once it
 * is written, the server may have the mail.
 */
export function classifyMailError(
  error: unknown,
  isDotWritten: boolean,
  server: string,
): Exclude<SendResult, { result: 'sent' }> {
  const facts = smtpErrorSchema.safeParse(error).data ?? {};
  const { responseCode } = facts;
  // Of no mail's doing, and the next one would fare no better.
  if (isTlsRefused(facts)) {
    return { result: 'paused', cause: `the mail server ${server} offers no TLS: ${adviceOnTls}` };
  }
  if (responseCode !== undefined && responseCode >= 400) {
    const cause = `the mail server answered ${responseCode}${describeCommand(facts.command)}`;
    // 421 concerns the server as a whole (RFC 5321 4.2.2): it shuts down or refuses connections.
    if (facts.permanent !== true) {
      return { result: 'not_sent_retry', cause, contact: responseCode === 421 ? 'silent' : 'answered' };
    }
    // 535 and its like: the login is refused, whatever the mail.
    return { result: facts.code === 'EAUTH' ? 'paused' : 'permanent', cause: cause + adviseOnLogin(facts) };
  }
  const codes = [facts.code, facts.originalCode].filter((code) => code !== undefined);
  const code = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  if (isDotWritten) {
    return { result: 'unknown', cause: `the mail server took the mail and did not confirm it${code}` };
  }
  // The SDK closes the connection when an attachment cannot be read.
  if (facts.code === 'ESTREAM') {
    return { result: 'not_sent_retry', cause: 'its attachments cannot be read any more', contact: 'none' };
  }
  const advice = isCertificateCode(facts.originalCode)
    ? ': its certificate does not hold'
    : adviseOnLogin(facts);
  return { result: 'not_sent_retry', cause: `the mail server cannot be used now${code}${advice}` };
}

/** What to do about a server without TLS. */
export const adviceOnTls =
  'use smtps:// in SMTP_URL, or let the server offer STARTTLS; ' +
  '?requireTLS=false after the address sends password and mail in clear, which only a trusted network allows';

/**
 * Whether the server surely offers no TLS: it does not know STARTTLS, whatever it announced, or not even EHLO, which comes
 * before it. Not a reply such as 454: it offers TLS at another time (RFC 3207, 4). Nor one such as 550 to EHLO: it refuses
 * us, and says nothing of TLS.
 */
export function isTlsRefused(error: unknown): boolean {
  const { code, command, permanent, responseCode } = smtpErrorSchema.safeParse(error).data ?? {};
  if (permanent !== true) return false;
  // The library goes on with HELO unless TLS is required. 500 and 502: a command that the server does not know.
  const isEhloUnknown = command === 'EHLO' && (responseCode === 500 || responseCode === 502);
  return (code === 'ETLS' && command === 'STARTTLS') || (code === 'ECONNECTION' && isEhloUnknown);
}

/** Whether a code of Node's TLS says that the certificate is for another name, has expired or is from a stranger. */
export function isCertificateCode(code = ''): boolean {
  return /^[A-Z_]*(?:CERT|SIGNATURE)/.test(code);
}

function adviseOnLogin({ code, command = '' }: z.infer<typeof smtpErrorSchema>): string {
  if (code !== 'EAUTH') return '';
  return command.startsWith('AUTH XOAUTH2')
    ? ': check mail.oauth2 of aftermeet.yaml'
    : ': check user and password of SMTP_URL';
}

/** The command without its argument, which can be an address. */
function describeCommand(command: string | undefined): string {
  const verb = /^[A-Z]{3,10}( (?:TO|FROM))?/.exec(command ?? '')?.[0];
  return verb === undefined ? '' : ` to ${verb}`;
}
