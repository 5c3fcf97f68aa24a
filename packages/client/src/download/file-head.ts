import type { ExportInput } from '../client.ts';

type Format = ExportInput['format'];

/** `more`: too few bytes to tell. */
export type HeadVerdict = 'right' | 'wrong' | 'more';

/** A DOCX is a ZIP archive. */
const magic: Readonly<Partial<Record<Format, string>>> = { pdf: '%PDF', docx: 'PK' };
const pageStarts = ['<!doctype html', '<html', '<?xml'];
/** Blank lines beyond this are the beginning of a text. */
const MAX_BLANK_BYTES = 1024;

/** Whether a file begins as one of its format does; types and names are not to be trusted. */
export function judgeHead(format: Format, head: Uint8Array): HeadVerdict {
  const text = Buffer.from(head).toString('latin1');
  const start = magic[format];
  if (start !== undefined) return compareStart(text, start);
  const words = text.replace(/^(?:\u00EF\u00BB\u00BF)?\s*/, '').toLowerCase();
  if (words === '' && head.length > MAX_BLANK_BYTES) return 'right';
  const verdicts = pageStarts.map((page) => compareStart(words, page));
  if (verdicts.includes('right')) return 'wrong';
  return verdicts.includes('more') ? 'more' : 'right';
}

/** Whether a file that ends with this head may be whole: a text may be of any length, the other formats not. */
export function isWholeFile(format: Format): boolean {
  return magic[format] === undefined;
}

function compareStart(text: string, start: string): HeadVerdict {
  if (text.startsWith(start)) return 'right';
  return start.startsWith(text) ? 'more' : 'wrong';
}
