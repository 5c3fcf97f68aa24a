import { createHash, randomBytes } from 'node:crypto';
import { openSync, readSync, ftruncateSync, writeSync, closeSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { startScript } from '@aftermeet/test/support';
import { Busboy } from '@fastify/busboy';
import { afterEach, expect, it } from 'vitest';

import { cleanUp, listen, makeFolder, sendJson } from './testing/upload-service.ts';

afterEach(cleanUp);

const MIB = 1024 ** 2;
const CHUNKS = 10;

/** 200 MiB that take hardly any room: holes, and random bytes in each chunk. */
function makeLongFile(): { path: string; chunkHashes: readonly string[]; hash: string } {
  const path = join(makeFolder(), 'long.mp4');
  const file = openSync(path, 'w+');
  ftruncateSync(file, CHUNKS * 20 * MIB);
  const whole = createHash('sha256');
  const buffer = Buffer.alloc(20 * MIB);
  const chunkHashes = Array.from({ length: CHUNKS }, (_, number) => {
    const start = number * 20 * MIB;
    writeSync(file, randomBytes(4096), 0, 4096, start + number * MIB);
    readSync(file, buffer, 0, buffer.length, start);
    whole.update(buffer);
    return createHash('sha256').update(buffer).digest('hex');
  });
  closeSync(file);
  return { path, chunkHashes, hash: whole.digest('hex') };
}

interface Taken {
  readonly number: number;
  readonly session: string | undefined;
  readonly hash: string;
  readonly expected: string | undefined;
}

it('goes on after kill -9 in the middle of 200 MiB with nothing but the missing chunks', async () => {
  const { path, chunkHashes, hash } = makeLongFile();
  const taken: Taken[] = [];
  let tellStuck = (): void => {};
  const stuck = new Promise<void>((resolve) => (tellStuck = resolve));
  const server = createServer((request, response) => {
    const fields: Record<string, string> = {};
    const received = createHash('sha256');
    const parser = Busboy({ headers: { 'content-type': request.headers['content-type'] ?? '' } });
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('file', (_name, stream) => stream.on('data', (piece: Buffer) => received.update(piece)));
    parser.on('finish', () => {
      const number = Number(fields['chunk_number']);
      const { upload_session_id: session, expected_sha256: expected } = fields;
      taken.push({ number, session, hash: received.digest('hex'), expected });
      // The sixth chunk is never answered the first time: the process dies waiting.
      if (taken.length === 6) tellStuck();
      else sendJson(response, 200, number === CHUNKS ? { meeting_id: 'm_long' } : {});
    });
    request.pipe(parser);
  });
  const baseUrl = await listen(server);
  const words = [baseUrl, path, makeFolder()];

  const first = await startScript('upload-process', words);
  await stuck;
  first.kill('SIGKILL');
  await first.ended;
  expect(taken.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);

  const second = await startScript('upload-process', words);
  const result: unknown = JSON.parse((await second.nextLine('done ')).slice('done '.length));
  expect(result).toMatchObject({
    meetingId: 'm_long',
    sha256: hash,
    chunks: { total: 10, sent: 5, skipped: 5 },
  });
  expect(taken.slice(6).map(({ number }) => number)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(new Set(taken.map(({ session }) => session)).size).toBe(1);
  expect(taken.at(-1)?.expected).toBe(hash);
  const lastOf = new Map(taken.map(({ number, hash: chunkHash }) => [number, chunkHash]));
  expect(chunkHashes).toEqual(chunkHashes.map((_, number) => lastOf.get(number)));
  // Nothing of the client keeps a process alive.
  await second.ended;
});
