import { parse } from 'content-disposition';

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

/** Leaves room below the 255 bytes of most file systems for what others append to a name. */
const MAX_BYTES = 200;

/** Windows refuses names whose part before the first dot is one of these, whatever follows. */
const reservedPattern = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/** Separators and what Windows refuses. */
const refusedPattern = /[<>:"/\\|?*]/g;
/** Control characters, invisible ones that turn the reading direction, private ones and halves of pairs. */
const invisiblePattern = /[\p{C}\u2028\u2029]/gu;
const edgePattern = /^[\s.-]+|[\s.]+$/g;

/**
 * A bare file name that every system takes: no folders, no control characters, no leading dot, no reserved
 * word, at most 200 bytes, and the given ending. Undefined when nothing is left of the text. Whatever the
 * text was, the name stays within the folder it is put into.
 */
export function makeSafeFilename(text: string, ending: string): string | undefined {
  const bare = text
    .replaceAll(invisiblePattern, '')
    // What stood around an invisible character can now be one letter.
    .normalize('NFC')
    .replaceAll(refusedPattern, '_')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const suffix = `.${ending}`;
  const stem = bare.toLowerCase().endsWith(suffix) ? bare.slice(0, -suffix.length) : bare;
  const short = cutToBytes(trimEdges(stem), MAX_BYTES - Buffer.byteLength(suffix) - 1);
  const clean = trimEdges(short);
  if (clean === '' || /^_+$/.test(clean)) return undefined;
  const beforeDot = clean.split('.', 1)[0]?.trim() ?? '';
  return `${reservedPattern.test(beforeDot) ? '_' : ''}${clean}${suffix}`;
}

/** Dots and blanks at the end are lost on Windows; a hyphen in front is an option to most commands. */
function trimEdges(text: string): string {
  return text.replaceAll(edgePattern, '');
}

/** Between characters, not within one. */
export function cutToBytes(text: string, maxBytes: number): string {
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) return cut;
    cut += character;
  }
  return cut;
}
