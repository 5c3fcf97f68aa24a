import { cutText } from '../text/cut-text.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The three characters that Slack's markup gives a meaning, written so that they have none. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}

/** Escaped text of at most `maxLength`, never cut inside an escape. */
export function escapeWithin(text: string, maxLength: number): string {
  let plain = cutText(text, maxLength);
  let escaped = escapeMrkdwn(plain);
  while (escaped.length > maxLength) {
    plain = cutText(plain, plain.length - Math.ceil((escaped.length - maxLength) / 5));
    escaped = escapeMrkdwn(plain);
  }
  return escaped;
}
