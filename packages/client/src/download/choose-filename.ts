import { parse } from 'content-disposition';

import { makeSafeFilename } from './safe-filename.ts';

export interface FileFacts {
  /** The header `Content-Disposition` as it came. */
  readonly disposition: string | null;
  readonly meetingId: string;
  /** The ending the file must have. */
  readonly format: string;
}

/** A bare, safe name: the server's where it sent one, else from the meeting's id. */
export function chooseFilename({ disposition, meetingId, format }: FileFacts): string {
  const sent = disposition === null ? undefined : readFilename(disposition);
  // A server that sends a path means its last part.
  const last = sent?.split(/[/\\]/).at(-1);
  return (
    (last === undefined ? undefined : makeSafeFilename(last, format)) ??
    makeSafeFilename(`meeting-${meetingId}`, format) ??
    `meeting.${format}`
  );
}

/** `filename*` goes before `filename` (RFC 6266, 4.3). */
function readFilename(disposition: string): string | undefined {
  const { filename } = parse(readUtf8(disposition)).parameters;
  return filename === undefined || filename.trim() === '' ? undefined : filename;
}

/** Headers arrive as Latin-1; servers that send raw UTF-8 are many, and Latin-1 that is valid UTF-8 is rare. */
function readUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return /[\u0080-\u00FF]/.test(header) && !text.includes('\uFFFD') ? text : header;
}
