import type { DraftEdit } from '../../engine/draft-edits.ts';
import { mailLimits, type MailMessage } from './compose-mail.ts';
import { isMailAddress } from './mail-address.ts';
import { escapeHtml } from './mail-html.ts';
import { writeUnsubscribeUrl } from './mail-page.ts';
import type { MailSettings } from './settings.ts';

/**
 * A mail as a person has changed it before approving it. Another recipient gets neither the calendar entries of the first
 * one nor an address that unsubscribes the first one. Pure.
 */
export function editMail(
  message: MailMessage,
  target: string,
  { to = target, subject = message.subject }: DraftEdit,
  settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
): { readonly to: string; readonly message: MailMessage } {
  if (to === target) return { to, message: { ...message, subject } };
  const { calendar: _calendar, text, html, ...others } = message;
  const [before, after] = [target, to].map((address) => writeUnsubscribeUrl(settings, address));
  const replaced = (whole: string, escape: (url: string) => string): string =>
    before === undefined || after === undefined
      ? whole
      : whole.replaceAll(escape(before), () => escape(after));
  return {
    to,
    message: { ...others, subject, text: replaced(text, (url) => url), html: replaced(html, escapeHtml) },
  };
}

type EditRead =
  | { readonly ok: true; readonly edit: DraftEdit }
  /** `wrong` is the field. */
  | { readonly ok: false; readonly wrong: 'to' | 'subject' };

/** The changes among what a person has written into the fields; a field as it was, or empty, is none. */
export function readMailEdit(
  fields: DraftEdit,
  draft: { readonly to: string; readonly subject: string },
): EditRead {
  const to = fields.to?.trim() ?? '';
  const subject = fields.subject?.trim() ?? '';
  if (to !== '' && !isMailAddress(to)) return { ok: false, wrong: 'to' };
  // Line breaks and other control characters have no place in a header.
  if (/\p{Cc}/u.test(subject) || subject.length > mailLimits.subject) return { ok: false, wrong: 'subject' };
  return {
    ok: true,
    edit: {
      ...(to === '' || to === draft.to ? {} : { to }),
      ...(subject === '' || subject === draft.subject ? {} : { subject }),
    },
  };
}
