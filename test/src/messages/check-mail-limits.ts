import type { ReceivedMail } from '@aftermeet/sandbox';

import { checkCharacters, checkLink } from './check-links.ts';

/** RFC 5322 2.1.1 for lines; what Gmail cuts off behind about 102 kB for the HTML. */
const mailLimits = { line: 998, html: 100_000, subject: 255 } as const;

/** Headers of which a message has exactly one (RFC 5322 3.6, RFC 3834 5). */
const single = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'auto-submitted'];

// oxlint-disable-next-line no-control-regex -- They are what is looked for.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f]/;
// oxlint-disable-next-line no-control-regex -- NUL is refused too (RFC 5322 4.1).
const eightBits = /[^\u0001-\u007f]/;

/** What of a mail a server or a reader's program would refuse, cut, load from outside or run. */
export function checkMailLimits(mail: ReceivedMail): readonly string[] {
  return [
    ...checkEnvelope(mail),
    ...checkHeaders(mail),
    ...checkLines(mail.raw),
    ...(mail.text.trim() === '' ? ['text: empty'] : []),
    ...checkCharacters(mail.text.replaceAll('\r\n', '\n'), 'text'),
    ...(mail.html === undefined ? ['html: none'] : checkHtml(mail.html)),
  ];
}

function checkEnvelope({ envelope, to }: ReceivedMail): readonly string[] {
  const [recipient, ...others] = envelope.to;
  if (recipient === undefined || others.length > 0) return [`${envelope.to.length} recipients, expected one`];
  return to.includes(recipient) && to.split('@').length === 2
    ? []
    : ['the header To names another recipient'];
}

function checkHeaders({ headers, subject }: ReceivedMail): readonly string[] {
  const counts = single.map(
    (name) => [name, headers.filter((header) => header.name === name).length] as const,
  );
  return [
    ...counts
      .filter(([, count]) => count !== 1)
      .map(([name, count]) => `${count} headers ${name}, expected one`),
    ...headers.filter(({ name }) => name === 'bcc' || name === 'cc').map(({ name }) => `a header ${name}`),
    ...headers
      .filter(({ value }) => controls.test(value))
      .map(({ name }) => `header ${name}: a control character`),
    ...checkSubject(subject),
  ];
}

/** One line, and not a long one. */
export function checkSubject(subject: string): readonly string[] {
  return [
    ...checkCharacters(subject, 'subject'),
    ...(/[\n\t]/.test(subject) ? ['subject: more than one line'] : []),
    ...(subject.trim() === '' ? ['subject: empty'] : []),
    ...(subject.length > mailLimits.subject
      ? [`subject: ${subject.length}, at most ${mailLimits.subject}`]
      : []),
  ];
}

function checkLines(raw: string): readonly string[] {
  const longest = Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)));
  return [
    ...(longest > mailLimits.line ? [`a line of ${longest} bytes, at most ${mailLimits.line}`] : []),
    ...(/[^\r]\n|\r[^\n]/.test(raw) ? ['a line break that is not CRLF'] : []),
    // Servers need not accept 8-bit content without 8BITMIME (RFC 6152).
    ...(eightBits.test(raw) ? ['a byte of eight bits'] : []),
  ];
}

/** HTML that shows text and links, and does, loads and asks for nothing. */
export function checkHtml(html: string): readonly string[] {
  const bytes = Buffer.byteLength(html);
  return [
    ...(bytes > mailLimits.html ? [`html: ${bytes} bytes, at most ${mailLimits.html}`] : []),
    ...checkCharacters(html.replaceAll('\r\n', '\n'), 'html'),
    ...[...html.replaceAll(/<!--[\s\S]*?-->/g, '').matchAll(/<(\/?)([^\s>/]*)([^>]*)>?/g)].flatMap(
      ([, , name = '', attributes = '']) => [...checkTag(name), ...checkAttributes(attributes)],
    ),
    ...[...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)].flatMap(([, style = '']) => checkStyle(style)),
  ];
}

const tags = new Set(
  `!doctype html head meta title style body div p span table thead tbody tr th td h1 h2 h3 h4 h5 h6 ul ol li
  blockquote pre code strong b em i del s a br hr center details summary`.split(/\s+/),
);

function checkTag(name: string): readonly string[] {
  return tags.has(name.toLowerCase()) ? [] : [`html: the tag ${JSON.stringify(name.slice(0, 20))}`];
}

function checkAttributes(text: string): readonly string[] {
  return [...text.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)].flatMap(
    ([, name = '', double, simple, bare]) => {
      const value = double ?? simple ?? bare ?? '';
      const attribute = name.toLowerCase();
      if (attribute.startsWith('on')) return [`html: the attribute ${attribute}`];
      if (['src', 'srcset', 'background', 'poster', 'action', 'formaction', 'ping'].includes(attribute)) {
        return [`html: ${attribute} loads from outside`];
      }
      if (attribute === 'style') return checkStyle(value);
      if (attribute === 'href') return checkLink(decode(value)).map((fault) => `html: ${fault}`);
      return attribute === 'http-equiv' && /refresh/i.test(value) ? ['html: a refresh'] : [];
    },
  );
}

function checkStyle(style: string): readonly string[] {
  return /url\s*\(|@import|expression\s*\(|javascript:/i.test(style)
    ? ['html: a style that loads or runs']
    : [];
}

/** The characters that an attribute's value writes as references, as far as ours does. */
function decode(value: string): string {
  return value
    .replaceAll(/&#(x?)([0-9a-f]+);/gi, (_whole, hex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
