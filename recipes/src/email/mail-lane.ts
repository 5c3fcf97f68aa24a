import { createTransport } from 'nodemailer';

import type { MailSettings } from '../destinations.ts';

/**
 * One connection to the mail server that carries one mail at a time, so that what the SDK logs can
 * only be about the mail under way.
 */
export interface MailLane {
  readonly transport: ReturnType<typeof openTransport>;
  /** Called once the final dot of the mail under way is written: from then on the server may have it. */
  onDotWritten: () => void;
}

/** How long a mail may take. */
export interface MailTimeouts {
  /** Until its final dot is written. */
  readonly untilDotMs: number;
  /** From then on, until the server has answered. */
  readonly afterDotMs: number;
}

export function openMailLane(settings: MailSettings, timeouts: MailTimeouts): MailLane {
  const lane: MailLane = {
    onDotWritten: () => {},
    transport: openTransport(settings, timeouts, () => lane.onDotWritten()),
  };
  return lane;
}

function openTransport(settings: MailSettings, timeouts: MailTimeouts, onDotWritten: () => void) {
  const { untilDotMs, afterDotMs } = timeouts;
  // The SDK says `tnx: 'message'` exactly when the last byte of a mail, its final dot, is written.
  const logger = {
    info: (entry: unknown) => {
      const isObject = typeof entry === 'object' && entry !== null;
      if (isObject && 'tnx' in entry && entry.tnx === 'message') onDotWritten();
    },
    // Without a level of its own, a line would be handed to `info`.
    trace: () => {},
    debug: () => {},
    warn: () => {},
    error: () => {},
    fatal: () => {},
  };
  const options = {
    ...writeAuth(settings),
    ...writeDkim(settings),
    pool: true as const,
    maxConnections: 1,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: untilDotMs / 2,
    greetingTimeout: untilDotMs / 2,
    // Only a backstop: whoever sends ends each of the two waits by itself.
    socketTimeout: untilDotMs + afterDotMs,
    dnsTimeout: untilDotMs / 2,
    logger,
  };
  return createTransport({ url: stripServerUrl(settings, Object.keys(options)), ...options });
}

/**
 * The address of the server without what would be taken in place of `options`: the SDK reads further ones from its
 * query (`?tls.servername=…`, `?requireTLS=true`), and prefers those. Without its login where there is another one.
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

/** In place of user and password in the address of the server (RFC 7628's forerunner XOAUTH2). */
function writeAuth({ oauth2 }: MailSettings) {
  return oauth2 === undefined ? {} : { auth: { type: 'OAuth2' as const, ...oauth2 } };
}

/**
 * The headers that are signed (RFC 6376 5.4.1), with those of unsubscribing (RFC 8058 4). Not the Message-ID: some
 * relays put their own in its place, and the signature would not fit any more.
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
