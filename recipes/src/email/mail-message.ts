/** One mail before it has a sender and a recipient. */
export interface MailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Gmail cuts a message at about 102 kB; subjects longer than this are cut by most readers. */
export const mailLimits = { subject: 200, body: 30_000 } as const;
