import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeFormHead, encodeFormTail, planUpload } from './chunk-format.ts';

const BOUNDARY = 'aftermeet-00000000';

interface Received {
  readonly values: readonly (readonly [string, string])[];
  readonly files: readonly (readonly [name: string, filename: string, type: string, bytes: string])[];
}

/** A parser that others wrote. */
function parse(body: Uint8Array): Promise<Received> {
  return new Promise((resolve, reject) => {
    const values: [string, string][] = [];
    const files: [string, string, string, string][] = [];
    const parser = Busboy({ headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
    parser.on('field', (name, value) => values.push([name, value]));
    parser.on('file', (name, stream, filename, _encoding, type) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => files.push([name, filename, type, Buffer.concat(pieces).toString('hex')]));
    });
    parser.on('error', reject);
    parser.on('finish', () => resolve({ values, files }));
    parser.end(Buffer.from(body));
  });
}

function encode(values: readonly (readonly [string, string])[], filename: string, bytes: Uint8Array): Buffer {
  const form = [...values.map(([name, value]) => ({ name, value })), { name: 'file', bytes, filename }];
  return Buffer.concat([encodeFormHead(form, BOUNDARY), bytes, encodeFormTail(BOUNDARY)]);
}

describe('a form', () => {
  it('looks like a browser’s', () => {
    expect(encode([['title', 'Plan für Q3']], 'a.mp4', Buffer.from('xyz')).toString()).toBe(
      '--aftermeet-00000000\r\n' +
        'content-disposition: form-data; name="title"\r\n\r\nPlan für Q3\r\n' +
        '--aftermeet-00000000\r\n' +
        'content-disposition: form-data; name="file"; filename="a.mp4"\r\n' +
        'content-type: application/octet-stream\r\n\r\nxyz\r\n' +
        '--aftermeet-00000000--\r\n',
    );
  });

  it('keeps quotes and line ends inside names, and line ends of values as CR LF', () => {
    const text = encode(
      [['a"\r\nb', 'one\ntwo\rthree\r\nfour']],
      'x"\r\ny.mp4',
      new Uint8Array(0),
    ).toString();
    expect(text).toContain('name="a%22%0D%0Ab"\r\n\r\none\r\ntwo\r\nthree\r\nfour\r\n');
    expect(text).toContain('filename="x%22%0D%0Ay.mp4"');
  });

  it('puts the file last, wherever it stood', () => {
    const form = [
      { name: 'file', bytes: new Uint8Array(0), filename: 'a' },
      { name: 'title', value: 't' },
    ];
    expect(Buffer.from(encodeFormHead(form, BOUNDARY)).toString()).toMatch(/title[\s\S]*name="file"/);
  });

  it('comes out of another parser as it went in', async () => {
    const lineText = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
    const names = fc.stringMatching(/^[a-zA-Z_]{1,20}$/);
    const filenames = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => `f${text.replaceAll(/["\r\n/\\\0]/g, '')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(names, lineText), { maxLength: 6 }),
        filenames,
        fc.uint8Array({ maxLength: 300 }),
        async (values, filename, bytes) => {
          expect(await parse(encode(values, filename, bytes))).toEqual({
            values,
            files: [['file', filename, 'application/octet-stream', Buffer.from(bytes).toString('hex')]],
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is the same as what Node writes for its own FormData', async () => {
    const form = new FormData();
    form.set('title', 'Übersicht "1"\nzwei');
    form.set('file', new Blob([Buffer.from('abc')]), 'a "b" ü.mp4');
    const response = new Response(form);
    const boundary = /boundary=(.*)$/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '';
    const theirs = Buffer.from(await response.arrayBuffer())
      .toString()
      .replaceAll(boundary, BOUNDARY);
    const ours = encode([['title', 'Übersicht "1"\nzwei']], 'a "b" ü.mp4', Buffer.from('abc')).toString();
    expect(ours.toLowerCase()).toBe(theirs.toLowerCase());
  });
});

const MIB = 1024 ** 2;

describe('planUpload', () => {
  it.each([
    [1, [[0, 0, 1]], 2],
    [20 * MIB, [[0, 0, 20 * MIB]], 2],
    [
      20 * MIB + 1,
      [
        [0, 0, 20 * MIB],
        [1, 20 * MIB, 1],
      ],
      3,
    ],
  ])('cuts %d bytes', (size, chunks, chunkTotal) => {
    const plan = planUpload(size, 20 * MIB);
    expect(plan.chunks.map(({ number, offset, length }) => [number, offset, length])).toEqual(chunks);
    expect(plan.chunkTotal).toBe(chunkTotal);
  });

  it('cuts 3 GiB into 154 chunks, of which the last has 12 MiB', () => {
    const { chunks, chunkTotal } = planUpload(3 * 1024 * MIB, 20 * MIB);
    expect(chunkTotal).toBe(155);
    expect(chunks.at(-1)).toEqual({ number: 153, offset: 3_208_642_560, length: 12 * MIB });
  });

  it('covers every byte once, in order, with full chunks before the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 700 }), (size, chunkBytes) => {
        const { chunks, chunkTotal } = planUpload(size, chunkBytes);
        const last = chunks.length - 1;
        expect(chunkTotal).toBe(chunks.length + 1);
        expect((chunks[last]?.offset ?? 0) + (chunks[last]?.length ?? 0)).toBe(size);
        const isRight = chunks.every(
          ({ number, offset, length }, index) =>
            number === index &&
            offset === index * chunkBytes &&
            (index < last ? length === chunkBytes : length >= 1 && length <= chunkBytes),
        );
        expect(isRight).toBe(true);
      }),
    );
  });
});
