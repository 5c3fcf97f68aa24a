/**
 * A mailbox in which every mail that was sent can be found. Only for a server or provider that files what it sends
 * (Gmail does), or that gives a copy of everything to one address (Postfix: `always_bcc`), with the Message-ID as it
 * was: a mail that is not there counts as not sent, and is sent again.
 */
export interface ImapSettings {
  /** `imaps://user:password@host`; `imap://` is upgraded by STARTTLS. */
  readonly url: string;
  /** The folder; without it the one that is marked as the folder of sent mail, else `INBOX`. */
  readonly mailbox?: string;
}

/** A mail server. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly smtpUrl: string;
  /** `name@example.com` or `Name <name@example.com>`. */
  readonly from: string;
  /** Who receives mail unless a recipe names others; empty: the internal participants. */
  readonly to: readonly string[];
  /** Domains of one's own people; without them that of the sender. */
  readonly internalDomains?: readonly string[];
  readonly replyTo?: string;
  /** Where a reader unsubscribes: an https address that takes one click (RFC 8058); without it a mail to the sender. */
  readonly unsubscribeUrl?: string;
  /** A header of the relay that makes a repeated mail recognisable, such as `X-EE-Idempotency-Key`. */
  readonly idempotencyHeader?: string;
  readonly dkim?: { readonly domain: string; readonly selector: string; readonly privateKey: string };
  readonly oauth2?: {
    readonly user: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly refreshToken: string;
    readonly accessUrl?: string;
  };
  /** Where a mail is looked up when it is not known whether it was sent; absent: nowhere. */
  readonly imap?: ImapSettings;
}
