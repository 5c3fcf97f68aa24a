import { asFields, firstText } from './report/loose.ts';
import { scrubText } from './scrub-text.ts';

/** A report of a very long meeting stays far below this. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * The body of an answer: JSON where it is JSON whatever the content type says, else its text, else
 * undefined when there is none. Throws a `RangeError` beyond `maxBytes`.
 */
export async function readAnswer(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  return parseAnswer(await readText(response, maxBytes), response.headers);
}

export function parseAnswer(text: string, headers: Headers): unknown {
  if (text.trim() === '') return undefined;
  const type = headers.get('content-type') ?? '';
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Announced as JSON or looking like it, and neither: the text itself is all there is.
    return text;
  }
}

/** Bytes that are no UTF-8 become U+FFFD. Throws a `RangeError` beyond `maxBytes`. */
export async function readText(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of response.body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('the answer is not made of bytes');
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`the answer is over ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A description of an error is a line, not a book. */
const MAX_DESCRIPTION_LENGTH = 64 * 1024;
const MAX_DETAIL_LENGTH = 200;

/** The service's own description of an error, short enough for a log line and without what is to be hidden. */
export function describeAnswer(
  answer: unknown,
  secrets: readonly string[] = [],
  texts: readonly string[] = [],
): string | undefined {
  const fields = asFields(answer);
  const text = fields === undefined ? answer : findMessage(fields);
  // The page of a proxy says nothing that the status does not.
  if (typeof text !== 'string' || text.length > MAX_DESCRIPTION_LENGTH || /^\s*</.test(text))
    return undefined;
  // Scrubbed first: a cut through a secret would leave its beginning.
  const clean = scrubText(text, secrets, texts)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : Array.from(clean).slice(0, MAX_DETAIL_LENGTH).join('');
}

function findMessage(fields: Readonly<Record<string, unknown>>): string | undefined {
  const inner = asFields(fields['error']);
  return (
    firstText(fields, 'message', 'detail', 'error') ??
    (inner === undefined ? undefined : firstText(inner, 'message', 'detail', 'code')) ??
    firstText(fields, 'code')
  );
}
