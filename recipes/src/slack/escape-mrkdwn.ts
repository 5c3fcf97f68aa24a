import { cutText } from '../text/cut-text.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The three characters that Slack's markup gives a meaning, written so that they have none. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}

/** Escaped text of at most `most` UTF-16 units, or whatever else `measure` counts, never cut inside an escape. */
export function escapeWithin(text: string, most: number, measure = countUnits): string {
  let plain = cutText(text, most);
  let escaped = escapeMrkdwn(plain);
  for (let size = measure(escaped); size > most; size = measure(escaped)) {
    // One unit is `&amp;` at most.
    plain = cutText(plain, plain.length - Math.ceil((size - most) / 5));
    escaped = escapeMrkdwn(plain);
  }
  return escaped;
}

function countUnits(text: string): number {
  return text.length;
}

/** The text that was escaped. */
export function unescapeMrkdwn(escaped: string): string {
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
