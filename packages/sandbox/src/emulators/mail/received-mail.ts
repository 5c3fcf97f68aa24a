// The declarations must follow this file into every program that compiles it from source.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./mailparser.d.ts" />

export interface ReceivedMail {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** The sender and recipients of the transaction; headers may name others. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** The header's text: `Name <address>`. */
  readonly from: string;
  /** The header's text with every address. */
  readonly to: string;
  readonly subject: string;
  /** With its angle brackets. */
  readonly messageId: string;
  readonly text: string;
  readonly html?: string;
  /** Every header in order, unfolded, its name in lower case. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly {
    readonly name: string;
    readonly contentType: string;
    readonly sizeBytes: number;
  }[];
  /** The message as it came. */
  readonly raw: string;
}

/** Parses a message (RFC 5322, MIME). The parser is loaded at the first mail: it is slow to load. */
export async function parseMail(
  raw: Buffer,
  transaction: Pick<ReceivedMail, 'id' | 'receivedAt' | 'envelope'>,
): Promise<ReceivedMail> {
  const { simpleParser } = await import('mailparser');
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipImageLinks: true, skipTextToHtml: true });
  const to = mail.to === undefined ? [] : [mail.to].flat();
  return {
    ...transaction,
    from: mail.from?.text ?? '',
    to: to.map(({ text }) => text).join(', '),
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    text: mail.text ?? '',
    ...(typeof mail.html === 'string' ? { html: mail.html } : {}),
    headers: mail.headerLines.map(({ key, line }) => ({ name: key, value: headerValue(line) })),
    attachments: mail.attachments.map(({ filename = '', contentType, size }) => ({
      name: filename,
      contentType,
      sizeBytes: size,
    })),
    raw: raw.toString('utf8'),
  };
}

function headerValue(line: string): string {
  return line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .trim();
}
