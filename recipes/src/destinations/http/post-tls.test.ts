import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeTemporaryFolder, selfSigned } from '@aftermeet/test/support';
import { afterEach, describe, expect, it } from 'vitest';

import { listenHere, shipPost, stopReceivers } from '../../testing/start-receiver.ts';

afterEach(stopReceivers);

async function startSecure(): Promise<{ readonly port: number; readonly asked: readonly unknown[] }> {
  const asked: unknown[] = [];
  const server = createServer(selfSigned, (request, response) => {
    asked.push('servername' in request.socket ? request.socket.servername : undefined);
    request.resume().once('end', () => response.end());
  });
  return { port: await listenHere(server), asked };
}

/** Node reads the certificates that it trusts once, when it starts. */
async function postTrusting(url: string): Promise<unknown> {
  const folder = await makeTemporaryFolder();
  try {
    const certificate = join(folder.path, 'ca.pem');
    await writeFile(certificate, selfSigned.cert);
    const built = new URL('../../../dist/destinations/http/post-once.js', import.meta.url).href;
    const call = `{ method: 'POST', url: new URL(${JSON.stringify(url)}), addresses: [{ address: '127.0.0.1', family: 4 }], headers: {}, body: '{}', timeoutMs: 5000 }`;
    const script = `const { postOnce } = await import(${JSON.stringify(built)}); console.log(JSON.stringify(await postOnce(${call})));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    });
    return JSON.parse(stdout);
  } finally {
    folder.remove();
  }
}

describe('a receiver with TLS', () => {
  it('gets it where its certificate holds, under its own name', async () => {
    const { port, asked } = await startSecure();
    expect(await postTrusting(`https://localhost:${port}/in`)).toMatchObject({ kind: 'answer', status: 200 });
    expect(asked).toEqual(['localhost']);
  });

  it('gets nothing when its certificate is for another name', async () => {
    const { port, asked } = await startSecure();
    expect(await postTrusting(`https://receiver.test:${port}/in`)).toEqual({
      kind: 'unsent',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(asked).toEqual([]);
  });

  it('receives nothing when its certificate is not trusted', async () => {
    const { port, asked } = await startSecure();
    expect(await (await shipPost(`https://localhost:${port}/in`)).send()).toEqual({
      result: 'not_sent_retry',
      contact: 'none',
      cause: 'no connection to the receiver (DEPTH_ZERO_SELF_SIGNED_CERT): its certificate does not hold',
    });
    expect(asked).toEqual([]);
  });
});
