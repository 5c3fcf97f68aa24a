import type { ExportInput } from '../client.ts';

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
