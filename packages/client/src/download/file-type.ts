import type { ExportInput } from '../inputs.ts';

type Format = ExportInput['format'];

const mediaTypes: Readonly<Record<Format, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown, text/plain;q=0.9',
};

/** What the service may answer with: the type of the format, else any, as long as it is the file. */
export function acceptFormat(format: Format): string {
  return `${mediaTypes[format]}, application/octet-stream;q=0.8, */*;q=0.1`;
}

/** None of the formats is JSON or HTML: whatever the status, such an answer is a message or a page. */
export function isPage(contentType: string | null): boolean {
  return /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/html|application\/xhtml\+xml)\b/i.test(
    contentType ?? '',
  );
}

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
