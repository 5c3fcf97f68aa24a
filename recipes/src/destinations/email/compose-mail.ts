import type { Readable } from 'node:stream';

import type { SendMailOptions } from 'nodemailer';

import { hashTarget } from '../../engine/effect-key.ts';
import { type TaskEvent, writeCalendar } from './calendar.ts';
import type { Mailbox } from './mail-address.ts';
import { escapeHtml, htmlNote } from './mail-html.ts';
import { insertUnsubscribeUrl, listUnsubscribeHeaders, noteSlot } from './mail-page.ts';
import type { MailSettings } from './settings.ts';

/** A downloaded file. */
export interface AttachedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Reads from the beginning; fails after `discard`. */
  readonly read: () => Readable;
}

export interface MailLabel {
  readonly effectKey: string;
  /** One address. */
  readonly to: string;
  readonly from: Mailbox;
  /** The receiver's address by which the recipient unsubscribes. */
  readonly unsubscribeUrl?: string | undefined;
}

export interface MailFiles {
  readonly files: readonly AttachedFile[];
  readonly notes: readonly string[];
}

/** The Message-ID of an effect is the same in every attempt (RFC 5322 3.6.4), so duplicates are recognisable. */
export function formatMessageId(effectKey: string, from: Mailbox): string {
  return `<${effectKey}@${readDomain(from)}>`;
}

function readDomain({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Builds the mail for the SDK. Addresses are objects, because the SDK splits text at commas. */
export function composeMail(
  message: MailMessage,
  { effectKey, to, from, unsubscribeUrl }: MailLabel,
  { files, notes }: MailFiles,
  settings: MailSettings,
): SendMailOptions {
  const { meetingId, calendar = [], subject } = message;
  const names = { effectKey, from: from.address };
  const text = insertUnsubscribeUrl(message.text, settings, unsubscribeUrl);
  const html = insertUnsubscribeUrl(message.html, settings, unsubscribeUrl, escapeHtml);
  return {
    from: { ...from },
    to: { name: '', address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: { name: '', address: settings.replyTo } }),
    envelope: { from: from.address, to: [to] },
    messageId: formatMessageId(effectKey, from),
    ...(meetingId === undefined ? {} : writeThread(meetingId, from)),
    subject,
    text: notes.length === 0 ? text : `${notes.join('\n')}\n\n${text}`,
    html: html.replace(noteSlot, () => notes.map(htmlNote).join('')),
    ...(calendar.length === 0
      ? {}
      : { icalEvent: { method: 'PUBLISH', filename: 'tasks.ics', content: writeCalendar(calendar, names) } }),
    attachments: files.map(({ filename, contentType, read }) => ({ filename, contentType, content: read() })),
    headers: {
      // RFC 3834: suppresses out-of-office replies.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // RFC 2919: for filters.
      'List-ID': `<aftermeet.${readDomain(from)}>`,
      ...listUnsubscribeHeaders(settings, to, unsubscribeUrl),
      ...(settings.idempotencyHeader === undefined ? {} : { [settings.idempotencyHeader]: effectKey }),
    },
  };
}

/** All mails of a meeting refer to the same Message-ID, so that mail readers show them as one conversation. */
function writeThread(meetingId: string, from: Mailbox): Pick<SendMailOptions, 'inReplyTo' | 'references'> {
  const root = `<meeting.${hashTarget(meetingId).slice(0, 32)}@${readDomain(from)}>`;
  return { inReplyTo: root, references: root };
}

/** A file that the service makes of a meeting. */
export type AttachedFormat = 'pdf' | 'docx' | 'md';

/** One mail without sender and recipient. */
export interface MailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Mails of one meeting are shown as one conversation. */
  readonly meetingId?: string;
  /** Fetched when the mail is sent. */
  readonly attach?: readonly AttachedFormat[];
  /** BCP 47, for notes that are added when it is sent. Default: English. */
  readonly language?: string;
  /** Entries of the attached calendar. */
  readonly calendar?: readonly TaskEvent[];
  /** It is sent after a person approves it. */
  readonly needsApproval?: boolean;
}

/** Maximum characters of subject and text. */
export const mailLimits = { subject: 200, body: 30_000 } as const;
