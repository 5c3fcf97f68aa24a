import { refuseInput } from '../service-fault.ts';
import { uploading } from './upload-errors.ts';
import type { UploadFile } from './upload-file.ts';

/** Enough for the headers that hold the type; `file-type` asks for 4100 bytes at least. */
const HEAD_BYTES = 64 * 1024;

/** Containers of audio and video whose media type says neither. */
const containers: ReadonlySet<string> = new Set([
  'application/ogg',
  'application/mxf',
  'application/vnd.ms-asf',
  'application/vnd.rn-realmedia',
]);

/**
 * Beginnings of audio and video for which `file-type` knows no type, or one only if what follows is as it expects: WAV of
 * more than 4 GB, Core Audio, Wave64, Sun audio, tags of an MP3, Windows Media, dictation machines, and MP4 in fragments.
 */
const mediaSignature = /^(?:RF64|BW64|caff|riff|\.snd|ID3|0&\u00B2u|[\s\S]ds[s2]|[\s\S]{4}styp)/;

/** Refuses content that is neither audio nor video by its first bytes: its meeting would fail after the whole upload. */
export async function refuseOtherTypes(file: UploadFile, signal: AbortSignal | undefined): Promise<void> {
  const head = await file.peek(HEAD_BYTES, signal);
  if (mediaSignature.test(new TextDecoder('latin1').decode(head.subarray(0, 8)))) return;
  const { fileTypeFromBuffer } = await import('file-type/core');
  // It throws for some files that are cut.
  const type = await fileTypeFromBuffer(head).catch(() => undefined);
  if (type !== undefined && (/^(?:audio|video)\//.test(type.mime) || containers.has(type.mime))) return;
  throw refuseInput(uploading, [
    {
      path: ['file'],
      code: 'invalid',
      expected: 'audio or video',
      received: type === undefined ? describeUnknown(head) : `${type.ext.toUpperCase()} (${type.mime})`,
      override: 'anyType',
    },
  ]);
}

function describeUnknown(head: Uint8Array): string {
  return isText(head) ? 'text' : 'content of an unknown type';
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
