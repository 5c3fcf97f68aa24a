import type { SendMailOptions } from 'nodemailer';

import type { MailSettings } from '../destinations.ts';
import { hashTarget } from '../effect-key.ts';
import { writeCalendar } from './calendar.ts';
import type { Mailbox } from './mail-address.ts';
import type { MailMessage } from './mail-message.ts';
import { htmlNote, noteSlot } from './mail-page.ts';
import type { SpooledFile } from './spool-exports.ts';
import { listUnsubscribeHeaders } from './unsubscribe.ts';

export interface MailLabel {
  readonly effectKey: string;
  /** One address. */
  readonly to: string;
  readonly from: Mailbox;
}

export interface MailFiles {
  readonly files: readonly SpooledFile[];
  readonly notes: readonly string[];
}

/** The same effect has the same id in every attempt (RFC 5322 3.6.4): whoever gets a mail twice can tell. */
export function formatMessageId(effectKey: string, from: Mailbox): string {
  return `<${effectKey}@${readDomain(from)}>`;
}

function readDomain({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** A whole mail as the SDK takes it. Addresses are objects: a text would be split at its commas. */
export function composeMail(
  message: MailMessage,
  { effectKey, to, from }: MailLabel,
  { files, notes }: MailFiles,
  settings: MailSettings,
): SendMailOptions {
  const { meetingId, calendar = [], subject } = message;
  const names = { effectKey, domain: readDomain(from) };
  return {
    from: { ...from },
    to: { name: '', address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: { name: '', address: settings.replyTo } }),
    envelope: { from: from.address, to: [to] },
    messageId: formatMessageId(effectKey, from),
    ...(meetingId === undefined ? {} : writeThread(meetingId, from)),
    subject,
    text: notes.length === 0 ? message.text : `${notes.join('\n')}\n\n${message.text}`,
    html: message.html.replace(noteSlot, () => notes.map(htmlNote).join('')),
    ...(calendar.length === 0
      ? {}
      : { icalEvent: { method: 'PUBLISH', filename: 'tasks.ics', content: writeCalendar(calendar, names) } }),
    attachments: files.map(({ filename, contentType, read }) => ({ filename, contentType, content: read() })),
    headers: {
      // RFC 3834: no out-of-office answers to a machine.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // RFC 2919: what a reader may filter by.
      'List-ID': `<aftermeet.${readDomain(from)}>`,
      ...listUnsubscribeHeaders(settings, to),
      ...(settings.idempotencyHeader === undefined ? {} : { [settings.idempotencyHeader]: effectKey }),
    },
  };
}

/** The mails of one meeting answer one that nobody ever sent: readers show them as one conversation. */
function writeThread(meetingId: string, from: Mailbox): Pick<SendMailOptions, 'inReplyTo' | 'references'> {
  const root = `<meeting.${hashTarget(meetingId).slice(0, 32)}@${readDomain(from)}>`;
  return { inReplyTo: root, references: root };
}
