import { z } from 'zod';

import type { RecipeProblem } from '../../engine/recipe.ts';
import { isMailAddress, isMailSender } from './mail-address.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';

/**
 * A mailbox in which every mail that was sent can be found. Only for a server or provider that files what it sends
 * (Gmail does), or that gives a copy of everything to one address (Postfix: `always_bcc`), with the Message-ID as it
 * was: a mail that is not there counts as not sent, and is sent again.
 */
export interface ImapSettings {
  /** `imaps://user:password@host`; `imap://` is upgraded by STARTTLS. */
  readonly url: string;
  /** The folder; without it the one that is marked as the folder of sent mail, else `INBOX`. */
  readonly mailbox?: string | undefined;
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
  readonly internalDomains?: readonly string[] | undefined;
  readonly replyTo?: string | undefined;
  /** Where a reader unsubscribes: an https address that takes one click (RFC 8058); without it a mail to the sender. */
  readonly unsubscribeUrl?: string | undefined;
  /** A header of the relay that makes a repeated mail recognisable, such as `X-EE-Idempotency-Key`. */
  readonly idempotencyHeader?: string | undefined;
  readonly dkim?:
    | { readonly domain: string; readonly selector: string; readonly privateKey: string }
    | undefined;
  readonly oauth2?:
    | {
        readonly user: string;
        readonly clientId: string;
        readonly clientSecret: string;
        readonly refreshToken: string;
        readonly accessUrl?: string | undefined;
      }
    | undefined;
  /** Where a mail is looked up when it is not known whether it was sent; absent: nowhere. */
  readonly imap?: ImapSettings | undefined;
}

const sender = z.string().refine(isMailSender, {
  error: 'an e-mail address, or a name and an address: Aftermeet <notes@example.com>',
});

const recipient = z.string().refine(isMailAddress, { error: 'e-mail addresses, separated by commas' });

/** Variables of the environment. */
export const emailVariables = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'smtp://host:port or smtps://user:password@host:port' })
    .optional(),
  MAIL_FROM: sender.optional(),
  MAIL_TO: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .pipe(z.array(recipient))
    .optional(),
  IMAP_URL: z
    .url({ protocol: /^imaps?$/, error: 'imap://user:password@host:port or imaps://user:password@host:port' })
    .optional(),
  IMAP_MAILBOX: z.string().optional(),
};

type Variables = z.output<z.ZodObject<typeof emailVariables>>;

/** Undefined without a mail server and a sender. */
export function readMailSettings(
  { SMTP_URL: smtpUrl, MAIL_FROM: from, MAIL_TO: to = [], IMAP_URL: url, IMAP_MAILBOX: mailbox }: Variables,
  mail: Partial<MailSettings> = {},
): MailSettings | undefined {
  if (smtpUrl === undefined || from === undefined) return undefined;
  return { smtpUrl, from, to, ...mail, imap: url === undefined ? undefined : { url, mailbox } };
}

/** Recipients and the mailbox need a server that sends. */
export function checkMailVariables({
  IMAP_URL,
  IMAP_MAILBOX,
  MAIL_FROM,
  MAIL_TO,
  SMTP_URL,
}: Variables): readonly RecipeProblem[] {
  if (IMAP_URL === undefined && IMAP_MAILBOX !== undefined) {
    return [{ setting: 'IMAP_URL', found: 'nothing', expected: 'a value, because IMAP_MAILBOX is set' }];
  }
  const idle = [
    ...(IMAP_URL === undefined ? [] : ['IMAP_URL']),
    ...(MAIL_TO === undefined ? [] : ['MAIL_TO']),
  ];
  // MAIL_FROM without SMTP_URL is a problem of its group.
  if (SMTP_URL !== undefined || MAIL_FROM !== undefined || idle.length === 0) return [];
  const expected = `a value, because ${idle.join(' and ')} ${idle.length > 1 ? 'are' : 'is'} set`;
  return [{ setting: 'SMTP_URL', found: 'nothing', expected }];
}

const domain = z
  .string({ error: 'a domain such as example.com' })
  .regex(/^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i, {
    error: 'a domain such as example.com',
  })
  .transform((name) => name.toLowerCase());

/** All other users of a public mail provider are strangers. */
const ownDomain = domain.refine((name) => !isPublicMailDomain(name), {
  error: "your own domain, not a public mail provider's: its other users would be internal",
});

const word = (what: string) => z.string({ error: what }).min(1, { error: what });

/** Headers that every mail has. */
const ownHeaders =
  /^(?:from|to|cc|bcc|sender|subject|date|message-id|reply-to|references|in-reply-to|mime-.*|content-.*|list-.*|dkim-.*)$/i;

const dkimSchema = z.strictObject({
  domain: domain.describe('The domain that signs.'),
  selector: z
    .string({ error: 'the name of the key in the DNS' })
    .regex(/^[a-z\d]([a-z\d._-]{0,61}[a-z\d])?$/i, {
      error: 'the name of the key in the DNS, such as mail2026',
    })
    .describe('The name of the key in the DNS.'),
  private_key: z
    .string({ error: 'the private key as PEM: "${file:dkim.pem}"' })
    .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\s/, { error: 'the private key as PEM: "${file:dkim.pem}"' })
    .describe('The private key as PEM: "${file:dkim.pem}".'),
});

const oauth2Schema = z.strictObject({
  user: z
    .string({ error: 'the address of the mailbox that sends' })
    .refine(isMailAddress, { error: 'the address of the mailbox that sends' })
    .describe('The address of the mailbox that sends.'),
  client_id: word('the id of the OAuth2 client').describe('The id of the client.'),
  client_secret: word('the secret of the OAuth2 client').describe('The secret of the client.'),
  refresh_token: word('a refresh token').describe('A refresh token.'),
  access_url: z
    .url({ protocol: /^https$/, error: 'the https address that gives out access tokens' })
    .optional()
    .describe('The https address that gives out access tokens.'),
});

/** `mail:` of `aftermeet.yaml`: options in addition to the variables of the mail server. */
export const mailSchema = z
  .strictObject({
    internal_domains: z
      .union([ownDomain.transform((one) => [one]), z.array(ownDomain).min(1)], {
        error: 'a domain such as example.com, or a list of them',
      })
      .optional()
      .describe('Domains of your own; everybody else is external.'),
    reply_to: z
      .string({ error: 'an address such as name@example.com' })
      .refine(isMailAddress, { error: 'an address such as name@example.com' })
      .optional()
      .describe('Where answers go.'),
    // RFC 8058 requires https.
    unsubscribe_url: z
      .url({ protocol: /^https$/, error: 'an https address' })
      .optional()
      .describe('An https address of your own where a reader unsubscribes; {recipient} makes it one-click.'),
    idempotency_header: z
      .string({ error: 'the name of a header' })
      .regex(/^[A-Za-z][A-Za-z\d-]{0,63}$/, { error: 'the name of a header, such as X-EE-Idempotency-Key' })
      .refine((name) => !ownHeaders.test(name), { error: 'a header that no mail has anyway' })
      .optional()
      .describe('A header by which the relay finds repeated mails.'),
    dkim: dkimSchema.optional().describe('Signs each mail with a key of yours.'),
    oauth2: oauth2Schema.optional().describe('Logs in to the mail server by OAuth2.'),
  })
  .transform(({ dkim, oauth2, ...mail }): Partial<MailSettings> => ({
    internalDomains: mail.internal_domains,
    replyTo: mail.reply_to,
    unsubscribeUrl: mail.unsubscribe_url,
    idempotencyHeader: mail.idempotency_header,
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, privateKey: dkim.private_key },
    oauth2: oauth2 && {
      user: oauth2.user,
      clientId: oauth2.client_id,
      clientSecret: oauth2.client_secret,
      refreshToken: oauth2.refresh_token,
      accessUrl: oauth2.access_url,
    },
  }));
