import { rmSync, statSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Busboy } from '@fastify/busboy';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { makeMultipart, multipartType } from '../../testing/multipart.ts';
import { parseForm } from './parse-form.ts';

const nowhere = join(tmpdir(), 'aftermeet-no-such-folder', 'part');

const makeParser = () => new Busboy({ headers: { 'content-type': multipartType } });

function parse(request: IncomingMessage, path = nowhere) {
  return parseForm(request, makeParser(), { path, signal: new AbortController().signal });
}

/** A request that holds all of this already. */
function makeRequest(bytes: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.push(bytes);
  request.push(null);
  return request;
}

it('does not wait for a sender who is gone already', async () => {
  const request = new IncomingMessage(new Socket());
  request.destroy();
  expect(await parse(request)).toMatchObject({ ok: false, cause: 'request' });
});

it('says by its code why a file cannot be stored', async () => {
  const request = makeRequest(makeMultipart([{ name: 'file', bytes: Buffer.from('x') }]));
  expect(await parse(request)).toEqual({
    ok: false,
    cause: 'storage',
    message: "The file can't be stored: ENOENT.",
  });
});

describe('a file that comes in', () => {
  let folder: string;

  beforeAll(() => {
    folder = makeTestFolder();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    [100_000, 0],
    [3_000_000, 1],
  ])('of %i bytes at once stops the sender %i times, until the disk has them', async (size, pauses) => {
    const request = makeRequest(makeMultipart([{ name: 'file', bytes: Buffer.alloc(size) }]));
    const pause = vi.spyOn(request, 'pause');
    const path = join(folder, String(size));
    expect(await parse(request, path)).toMatchObject({ ok: true, bytes: size });
    expect(pause).toHaveBeenCalledTimes(pauses);
    expect(statSync(path).size).toBe(size);
  });

  it('is not taken when its place is taken away, not even when all of it is here', async () => {
    const removal = new AbortController();
    const request = makeRequest(makeMultipart([{ name: 'file', bytes: Buffer.alloc(3_000_000) }]));
    const parser = makeParser();
    const parsing = parseForm(request, parser, { path: join(folder, 'removed'), signal: removal.signal });
    parser.once('finish', () => {
      removal.abort();
    });
    expect(await parsing).toMatchObject({ ok: false, cause: 'reset' });
  });
});
