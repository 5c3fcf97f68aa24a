import { Readable } from 'node:stream';

import { afterEach, describe, expect, it } from 'vitest';

import type { UploadSource } from '../client.ts';
import { cleanUp, failureOf, makeFile, send, startService } from './testing/upload-service.ts';

afterEach(cleanUp);

/** Text whose characters are the bytes, filled up with zeros. */
function bytesOf(head: string, length = 2000): Buffer {
  const content = Buffer.alloc(length);
  content.write(head, 'latin1');
  return content;
}

function ebml(kind: string): string {
  return `\x1A\x45\xDF\xA3\xA3\x42\x86\x81\x01\x42\xF7\x81\x01\x42\xF2\x81\x04\x42\xF3\x81\x08\x42\x82${String.fromCodePoint(0x80 + kind.length)}${kind}`;
}

function oggPage(codec: string): string {
  return `OggS\0\x02\0\0\0\0\0\0\0\0\x76\xAF\xC4\x6F\0\0\0\0\x95\x60\x76\xC3\x01\x1E${codec}`;
}

function transportStream(): Buffer {
  const content = Buffer.alloc(1880, 0xff);
  for (let at = 0; at < content.length; at += 188) content[at] = 0x47;
  return content;
}

const media: readonly (readonly [string, Buffer])[] = [
  ['MP3 with ID3 tags', bytesOf('ID3\x04\0\0\0\0\0\x23')],
  ['MP3 whose tags are larger than what is read', bytesOf('ID3\x04\0\0\x00\x7F\x7F\x7F', 100_000)],
  ['MP3 without tags', bytesOf('\xFF\xFB\x50\xC4')],
  ['AAC in ADTS', bytesOf('\xFF\xF1\x50\x40')],
  ['AMR', bytesOf('#!AMR\n')],
  ['wide-band AMR', bytesOf('#!AMR-WB\n')],
  ['3GP', bytesOf('\0\0\0\x1Cftyp3gp4')],
  ['MP4', bytesOf('\0\0\0\x1Cftypisom')],
  ['M4A', bytesOf('\0\0\0\x1CftypM4A ')],
  ['QuickTime', bytesOf('\0\0\0\x14ftypqt  ')],
  ['QuickTime without a type', bytesOf('\0\0\0\x08wide\0\0\0\0mdat')],
  ['Matroska', bytesOf(ebml('matroska'))],
  ['WebM', bytesOf(ebml('webm'))],
  ['WAV', bytesOf('RIFF\xCE\x58\x01\0WAVEfmt ')],
  ['WAV with other chunks first, of unknown size', bytesOf('RIFF\xFF\xFF\xFF\xFFWAVEbext\x5A\x02\0\0')],
  ['WAV of more than 4 GB', bytesOf('RF64\xFF\xFF\xFF\xFFWAVEds64')],
  ['Core Audio', bytesOf('caff\0\x01\0\0desc')],
  ['Sun audio', bytesOf('.snd\0\0\0\x18')],
  ['Ogg with Vorbis', bytesOf(oggPage('\x01vorbis\0'))],
  ['Ogg with Opus', bytesOf(oggPage('OpusHead\x01'))],
  ['Ogg with another codec', bytesOf(oggPage('another'))],
  ['FLAC', bytesOf('fLaC')],
  ['AVI', bytesOf('RIFF\x24\x63\0\0AVI ')],
  ['Windows Media', bytesOf('\x30\x26\xB2\x75\x8E\x66\xCF\x11\xA6\xD9\0\xAA\0\x62\xCE\x6C')],
  ['an MPEG transport stream', transportStream()],
  ['an MPEG programme stream', bytesOf('\0\0\x01\xBA')],
  ['a format that is not known here', bytesOf('XYZ\0\x01')],
];

describe('content that is audio or video', () => {
  it.each(media)('is uploaded: %s', async (_name, bytes) => {
    const service = await startService();
    await send(service, { bytes, filename: 'x' }, { anyType: false });
    expect(Buffer.concat(service.chunks.map((chunk) => chunk.bytes)).equals(bytes)).toBe(true);
  });

  it('is uploaded whole from a path and from a stream of small pieces', async () => {
    const bytes = bytesOf('fLaC');
    const pieces = Array.from({ length: 20 }, (_, at) => bytes.subarray(at * 100, at * 100 + 100));
    const stream: UploadSource = { stream: Readable.from(pieces), filename: 'x', size: 2000 };
    for (const source of [stream, { path: makeFile(bytes) }]) {
      const service = await startService();
      await send(service, source, { anyType: false });
      expect(Buffer.concat(service.chunks.map((chunk) => chunk.bytes)).equals(bytes)).toBe(true);
    }
  });
});

describe('content that is neither', () => {
  it.each([
    ['a PDF', '%PDF-1.7\n'],
    ['a PNG image', '\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR'],
    ['a JPEG image', '\xFF\xD8\xFF\xE0\0\x10JFIF\0'],
    ['a HEIC or AVIF image', '\0\0\0\x24ftypheic'],
    ['a WebP image', 'RIFF\x24\x63\0\0WEBPVP8 '],
    ['a ZIP archive or an Office document', 'PK\x03\x04\x14\0\x06\0'],
    ['an Office document', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
    ['an archive', '\x1F\x8B\x08\0'],
    ['a program', '\x7FELF\x02\x01'],
  ])('is refused as %s and not sent, unless any type is allowed', async (found, head) => {
    const service = await startService();
    const source = { bytes: bytesOf(head), filename: 'call.mp4' };
    const error = await failureOf(send(service, source, { anyType: false, force: true }));
    expect(error).toMatchObject({
      code: 'bad_request',
      unsent: true,
      detail: `file must be audio or video; found ${found} (anyType overrides this)`,
    });
    expect(service.chunks).toEqual([]);
    await send(service, source, { anyType: true });
    expect(service.chunks).toHaveLength(3);
  });

  it('is refused as text, cut within a character too', async () => {
    const service = await startService();
    for (const text of ['1\n00:00:01 --> 00:00:02\nHello\n', `${'a'.repeat(65_535)}é`]) {
      const source = { bytes: Buffer.from(text), filename: 'call.srt' };
      const { detail } = await failureOf(send(service, source, { anyType: false }));
      expect(detail).toBe('file must be audio or video; found text (anyType overrides this)');
    }
  });
});
