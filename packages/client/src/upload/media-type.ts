import { refuseInput } from '../service-fault.ts';
import { uploading } from './upload-errors.ts';
import type { UploadFile } from './upload-file.ts';

/** Enough to tell a text. */
const HEAD_BYTES = 4096;

interface OtherType {
  readonly name: string;
  /** Latin-1. */
  readonly signatures: readonly string[];
  /** Where in the file they are. Default: at its start. */
  readonly at?: number;
}

/**
 * Files that people have beside their recordings. Recorders and dictation machines write more formats than any list of
 * media knows, so what is not in this one is sent, and the service judges it.
 */
const otherTypes: readonly OtherType[] = [
  { name: 'a PDF', signatures: ['%PDF-'] },
  { name: 'a PNG image', signatures: ['\x89PNG\r\n'] },
  { name: 'a JPEG image', signatures: ['\xFF\xD8\xFF'] },
  { name: 'a GIF image', signatures: ['GIF87a', 'GIF89a'] },
  { name: 'a TIFF image', signatures: ['II*\0', 'MM\0*'] },
  { name: 'a WebP image', signatures: ['WEBP'], at: 8 },
  {
    name: 'a HEIC or AVIF image',
    signatures: ['ftypheic', 'ftypheix', 'ftyphevc', 'ftypmif1', 'ftypmsf1', 'ftypavif', 'ftypavis'],
    at: 4,
  },
  { name: 'a ZIP archive or an Office document', signatures: ['PK\x03\x04', 'PK\x05\x06'] },
  { name: 'an Office document', signatures: ['\xD0\xCF\x11\xE0'] },
  {
    name: 'an archive',
    signatures: ['\x1F\x8B\x08', 'Rar!\x1A', '7z\xBC\xAF', 'BZh', '\xFD7zXZ\0', '\x28\xB5\x2F\xFD'],
  },
  { name: 'a program', signatures: ['MZ', '\x7FELF', '\xCF\xFA\xED\xFE'] },
  { name: 'a database', signatures: ['SQLite format 3\0'] },
];

/** Refuses content that is surely neither audio nor video: its meeting would fail after the whole upload. */
export async function refuseOtherTypes(file: UploadFile, signal: AbortSignal | undefined): Promise<void> {
  const head = await file.peek(HEAD_BYTES, signal);
  const found = findOtherType(head);
  if (found === undefined) return;
  throw refuseInput(uploading, [
    { path: ['file'], code: 'invalid', expected: 'audio or video', received: found, override: 'anyType' },
  ]);
}

function findOtherType(head: Uint8Array): string | undefined {
  const beginning = String.fromCodePoint(...head.subarray(0, 32));
  const other = otherTypes.find(({ signatures, at = 0 }) =>
    signatures.some((signature) => beginning.startsWith(signature, at)),
  );
  return other?.name ?? (isText(head) ? 'text' : undefined);
}

function isText(head: Uint8Array): boolean {
  try {
    // As a stream: the last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/(?![\t\n\f\r])\p{Cc}/u.test(text);
  } catch {
    return false;
  }
}
