import { createPrivateKey } from 'node:crypto';

import type { ServiceActions } from '../../engine/destination.ts';
import {
  type Connector,
  type Preparation,
  type PreparedSend,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
} from '../../engine/prepared-send.ts';
import { openAttachmentStore } from './attachments.ts';
import {
  composeMail,
  formatMessageId,
  type MailFiles,
  type MailLabel,
  type MailMessage,
} from './compose-mail.ts';
import { editMail } from './edit-mail.ts';
import { findSentMail, isMailboxUrl } from './find-sent-mail.ts';
import { isMailAddress, type Mailbox, readMailbox } from './mail-address.ts';
import type { MailSettings } from './settings.ts';
import {
  cutOffMs,
  type SmtpConnection,
  mailTimeouts,
  mailTimeoutsFor,
  openSmtpConnection,
  startTimer,
  type StartTimer,
  transmitMail,
} from './smtp-connection.ts';

/**
 * Opens the mail connector. One mail has one recipient and one transaction. Its Message-ID is derived from the effect's key, so
 * that the recipient can recognise a mail that was sent twice. Throws for invalid settings without repeating their values.
 */
export function openMail(
  settings: MailSettings,
  timeouts = mailTimeouts({ timeoutMs: sendTimeoutMs }),
  service?: Pick<ServiceActions, 'exports'>,
  start: StartTimer = startTimer,
): Connector<MailMessage> {
  const from = checkMailSettings(settings);
  const { imap } = settings;
  const idle: SmtpConnection[] = [];
  const all: SmtpConnection[] = [];
  const takeConnection = (): SmtpConnection => {
    const connection = idle.pop() ?? openSmtpConnection(settings, timeouts);
    if (!all.includes(connection)) all.push(connection);
    return connection;
  };
  const attachments = openAttachmentStore(service, cutOffMs(timeouts), start);

  const prepareMail = (
    message: MailMessage,
    label: Omit<MailLabel, 'from'>,
    files: MailFiles & { readonly discard: () => Promise<void> },
  ): Preparation => {
    const messageId = formatMessageId(label.effectKey, from);
    const granted = mailTimeoutsFor(timeouts, BASE64_GROWTH * sumBytes(files));
    const timeoutMs = granted.untilDotMs + granted.afterDotMs;
    const send = async (): Promise<SendResult> => {
      const connection = takeConnection();
      const mail = composeMail(message, { ...label, from }, files, settings);
      const sent = await transmitMail(connection, { ...mail, messageId }, granted, start);
      idle.push(connection);
      await files.discard();
      return sent;
    };
    const probe = async (): Promise<ProbeResult> => {
      // Mail servers keep no record to ask. A mailbox may, but its answer says nothing about the mail server.
      if (imap === undefined) return { result: 'untraceable' };
      return { ...(await findSentMail(imap, messageId, sendTimeoutMs)), contact: 'none' };
    };
    const prepared: PreparedSend = {
      timeoutMs,
      send,
      probe,
      discard: files.discard,
      ...(message.needsApproval === true ? { holdFor: 'mail to people outside waits for approval' } : {}),
    };
    return { result: 'ready', prepared };
  };

  return {
    prepare: async (rendered, { effectKey, target, edit = {}, linkUnsubscribe }) => {
      const { to, message } = editMail(rendered, target, edit, settings);
      if (!isMailAddress(to)) {
        return { result: 'permanent', cause: 'the recipient is not one valid address', contact: 'none' };
      }
      const files = await attachments.fetch(message);
      if (files.result !== 'ready') return { ...files, contact: 'none' };
      return prepareMail(message, { effectKey, to, unsubscribeUrl: linkUnsubscribe?.(to) }, files);
    },
    close: async () => {
      for (const connection of all) connection.transport.close({ force: true });
      await attachments.close();
    },
  };
}

/** RFC 2045 6.8: four characters for three bytes, and a line break after each 76. */
const BASE64_GROWTH = (4 / 3) * (78 / 76);

function sumBytes({ files }: MailFiles): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Validates the settings and returns the sender. Throws without repeating any value. */
function checkMailSettings(settings: MailSettings): Mailbox {
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
    throw new Error('the address for replies (mail: reply_to) is not an address: expected name@example.com');
  }
  if (unsubscribeUrl !== undefined && !isUnsubscribeUrl(unsubscribeUrl)) {
    throw new Error('the address for unsubscribing (mail: unsubscribe_url) is not an https:// address');
  }
  if (idempotencyHeader !== undefined && !/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(idempotencyHeader)) {
    throw new Error('the header of the relay (mail: idempotency_header) is not the name of a header');
  }
  if (dkim !== undefined && !isSigningKey(dkim.privateKey)) {
    throw new Error(
      'the key that signs mails (mail: dkim: private_key) cannot be used: expected an RSA key as PEM, without a passphrase',
    );
  }
  return from;
}

/** With any other key the SDK sends unsigned mail without an error. */
function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    // Not a key, or one with a passphrase.
    return false;
  }
}

/** The header puts it between angle brackets, so it must not contain them. */
function isUnsubscribeUrl(text: string): boolean {
  return /^https:\/\/[^\s<>"]{1,1000}$/.test(text) && URL.canParse(text);
}
