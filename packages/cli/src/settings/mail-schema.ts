import { isMailAddress, type MailSettings } from '@aftermeet/recipes';
import { z } from 'zod';

import { dropAbsent } from '../drop-absent.ts';

const domain = z
  .string({ error: 'a domain such as example.com' })
  .regex(/^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i, {
    error: 'a domain such as example.com',
  })
  .transform((name) => name.toLowerCase());

const word = (what: string) => z.string({ error: what }).min(1, { error: what });

/** What a mail says about itself. */
const ownHeaders =
  /^(?:from|to|cc|bcc|sender|subject|date|message-id|reply-to|references|in-reply-to|mime-.*|content-.*|list-.*|dkim-.*)$/i;

const dkimSchema = z.strictObject({
  domain,
  selector: z
    .string({ error: 'the name of the key in the DNS' })
    .regex(/^[a-z\d]([a-z\d._-]{0,61}[a-z\d])?$/i, {
      error: 'the name of the key in the DNS, such as mail2026',
    }),
  private_key: z
    .string({ error: 'the private key as PEM: "${file:dkim.pem}"' })
    .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\s/, { error: 'the private key as PEM: "${file:dkim.pem}"' }),
});

const oauth2Schema = z.strictObject({
  user: z
    .string({ error: 'the address of the mailbox that sends' })
    .refine(isMailAddress, { error: 'the address of the mailbox that sends' }),
  client_id: word('the id of the OAuth2 client'),
  client_secret: word('the secret of the OAuth2 client'),
  refresh_token: word('a refresh token'),
  access_url: z
    .url({ protocol: /^https$/, error: 'the https address that gives out access tokens' })
    .optional(),
});

/** `mail:` of the settings file: what the three variables of the mail server do not say. */
export const mailSchema = z.strictObject({
  internal_domains: z
    .union([domain.transform((one) => [one]), z.array(domain).min(1)], {
      error: 'a domain such as example.com, or a list of them',
    })
    .optional(),
  outbox: word('the path of a folder').optional(),
  reply_to: z
    .string({ error: 'an address such as name@example.com' })
    .refine(isMailAddress, { error: 'an address such as name@example.com' })
    .optional(),
  /** RFC 8058 takes https alone. */
  unsubscribe_url: z.url({ protocol: /^https$/, error: 'an https address' }).optional(),
  idempotency_header: z
    .string({ error: 'the name of a header' })
    .regex(/^[A-Za-z][A-Za-z\d-]{0,63}$/, { error: 'the name of a header, such as X-EE-Idempotency-Key' })
    .refine((name) => !ownHeaders.test(name), { error: 'a header that no mail has anyway' })
    .optional(),
  dkim: dkimSchema.optional(),
  oauth2: oauth2Schema.optional(),
});

/** The keys that may stand in `mail`, or below one of them. */
export function mailKeys(name: PropertyKey | undefined): readonly string[] {
  if (name === 'dkim') return Object.keys(dkimSchema.shape);
  if (name === 'oauth2') return Object.keys(oauth2Schema.shape);
  return Object.keys(mailSchema.shape);
}

type FileMail = z.infer<typeof mailSchema>;

/** The same in the words of the recipes. */
export function readMail({ dkim, oauth2, ...mail }: FileMail = {}): Partial<MailSettings> {
  return dropAbsent({
    internalDomains: mail.internal_domains,
    outbox: mail.outbox,
    replyTo: mail.reply_to,
    unsubscribeUrl: mail.unsubscribe_url,
    idempotencyHeader: mail.idempotency_header,
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, privateKey: dkim.private_key },
    oauth2: oauth2 && {
      user: oauth2.user,
      clientId: oauth2.client_id,
      clientSecret: oauth2.client_secret,
      refreshToken: oauth2.refresh_token,
      ...dropAbsent({ accessUrl: oauth2.access_url }),
    },
  });
}
