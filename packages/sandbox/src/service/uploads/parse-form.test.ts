import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Busboy } from '@fastify/busboy';
import { expect, it } from 'vitest';

import { makeMultipart, multipartType } from '../../testing/multipart.ts';
import { parseForm } from './parse-form.ts';

const nowhere = join(tmpdir(), 'aftermeet-no-such-folder', 'part');

function parse(request: IncomingMessage) {
  const parser = new Busboy({ headers: { 'content-type': multipartType } });
  return parseForm(request, parser, { path: nowhere, signal: new AbortController().signal });
}

it('does not wait for a sender who is gone already', async () => {
  const request = new IncomingMessage(new Socket());
  request.destroy();
  expect(await parse(request)).toMatchObject({ ok: false, cause: 'request' });
});

it('says by its code why a file cannot be stored', async () => {
  const request = new IncomingMessage(new Socket());
  request.push(makeMultipart([{ name: 'file', bytes: Buffer.from('x') }]));
  request.push(null);
  expect(await parse(request)).toEqual({
    ok: false,
    cause: 'storage',
    message: "The file can't be stored: ENOENT.",
  });
});
