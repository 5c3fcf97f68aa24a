import type { TaskEvent } from './calendar.ts';

/** A file that the service makes of a meeting. */
export type AttachedFormat = 'pdf' | 'docx' | 'md';

/** One mail before it has a sender and a recipient. */
export interface MailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** What the mails of one meeting share: they are shown as one conversation. */
  readonly meetingId?: string;
  /** Made and fetched when the mail leaves. */
  readonly attach?: readonly AttachedFormat[];
  /** Days that the recipient can put into a calendar. */
  readonly calendar?: readonly TaskEvent[];
  /** It is not sent but kept for somebody to approve it. */
  readonly isDraft?: boolean;
}

/** Subjects longer than this are cut by most readers; a text of this length still opens everywhere. */
export const mailLimits = { subject: 200, body: 30_000 } as const;
