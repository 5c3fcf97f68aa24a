import { createPrivateKey } from 'node:crypto';

import type { MailSettings } from '../destinations.ts';
import { isMailboxUrl } from './find-sent-mail.ts';
import { isMailAddress, type Mailbox, readMailbox } from './mail-address.ts';

/** The sender of settings that can be used. Throws for others, in words that hold none of their values. */
export function checkMailSettings(settings: MailSettings): Mailbox {
  const { imap, replyTo, unsubscribeUrl, idempotencyHeader, dkim } = settings;
  const from = readMailbox(settings.from);
  if (from === undefined) {
    throw new Error(
      'the sender (MAIL_FROM) is not an address: expected name@example.com or Name <name@example.com>',
    );
  }
  const protocol = URL.canParse(settings.smtpUrl) ? new URL(settings.smtpUrl).protocol : '';
  if (protocol !== 'smtp:' && protocol !== 'smtps:') {
    throw new Error(
      'the mail server (SMTP_URL) is not an address: expected smtp://host:port or smtps://host:port',
    );
  }
  if (imap !== undefined && !isMailboxUrl(imap.url)) {
    throw new Error('the mailbox (IMAP_URL) is not an address: expected imaps://user:password@host');
  }
  if (replyTo !== undefined && !isMailAddress(replyTo)) {
    throw new Error('the address for answers (mail: reply_to) is not one: expected name@example.com');
  }
  if (unsubscribeUrl !== undefined && !isUnsubscribeUrl(unsubscribeUrl)) {
    throw new Error('where a reader unsubscribes (mail: unsubscribe_url) is not an https:// address');
  }
  if (idempotencyHeader !== undefined && !/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(idempotencyHeader)) {
    throw new Error('the header of the relay (mail: idempotency_header) is not the name of a header');
  }
  if (dkim !== undefined && !isSigningKey(dkim.privateKey)) {
    throw new Error(
      'the key that signs mails (mail: dkim: private_key) can not be used: expected an RSA key as PEM, without a passphrase',
    );
  }
  return from;
}

/** With any other one the SDK sends without a signature, and says nothing. */
function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    // Not a key, or one with a passphrase.
    return false;
  }
}

/** Inside of a header it stands between angle brackets. */
function isUnsubscribeUrl(text: string): boolean {
  return /^https:\/\/[^\s<>"]{1,1000}$/.test(text) && URL.canParse(text);
}
