/** What a mail says of itself. */
export interface MailHead {
  readonly subject: string;
  /** One address as it stands in the header, without its name. */
  readonly to: string;
  readonly messageId: string;
}

/** The head of a message (RFC 5322) as this toolkit writes them; what is not there is empty. */
export function readMailHead(raw: Buffer): MailHead {
  const fields = readFields(splitMail(raw).head);
  const take = (name: string): string =>
    (fields.find((field) => field.name === name)?.line ?? ':').replace(/^[^:]*:\s*/, '');
  return {
    subject: decodeWords(take('subject')),
    to: take('to').replace(/^.*<([^<>]*)>$/, '$1'),
    messageId: take('message-id'),
  };
}

/** The message without some of its headers, to the byte; names in lower case. */
export function withoutHeaders(raw: Buffer, names: readonly string[]): Buffer {
  const { head, rest } = splitMail(raw);
  const kept = head
    .split(/\r\n(?![ \t])/)
    .filter((line) => !names.includes(line.slice(0, line.indexOf(':')).toLowerCase()));
  return Buffer.concat([Buffer.from(kept.join('\r\n'), 'latin1'), rest]);
}

/** The head without its last line end, and all that comes after. */
function splitMail(raw: Buffer): { readonly head: string; readonly rest: Buffer } {
  const end = raw.indexOf('\r\n\r\n');
  const at = end < 0 ? raw.length : end;
  return { head: raw.subarray(0, at).toString('latin1'), rest: raw.subarray(at) };
}

function readFields(head: string): readonly { readonly name: string; readonly line: string }[] {
  return head.split(/\r\n(?![ \t])/).map((folded) => {
    const line = folded.replaceAll(/\r\n[ \t]/g, ' ').trim();
    return { name: line.slice(0, line.indexOf(':')).toLowerCase(), line };
  });
}

/** Encoded words (RFC 2047) in UTF-8, of which the pieces may end within a character. */
function decodeWords(text: string): string {
  return text.replaceAll(/=\?utf-8\?[bq]\?[^?]*\?=(?:\s+=\?utf-8\?[bq]\?[^?]*\?=)*/gi, (words) =>
    Buffer.concat(
      [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, coding = '', data = '']) =>
        coding.toLowerCase() === 'b' ? Buffer.from(data, 'base64') : decodeQ(data),
      ),
    ).toString('utf8'),
  );
}

function decodeQ(data: string): Buffer {
  const bytes = data
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9a-f]{2})/gi, (_code, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
