import { asFields, firstText } from './loose.ts';

/** A report of a very long meeting stays far below this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * The body of an answer: JSON where it is JSON whatever the content type says, else its text, else
 * undefined when there is none.
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await readText(response);
  if (text.trim() === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Announced as JSON or looking like it, and neither: the text itself is all there is.
    return text;
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError(`the answer is over ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The service's own description of an error, short enough for a log line. */
export function describeAnswer(answer: unknown): string | undefined {
  const fields = asFields(answer);
  const text = fields === undefined ? answer : firstText(fields, 'message', 'detail', 'error', 'code');
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim().slice(0, 200) : undefined;
}
