// Exports that are more than a file: n8n's storage must not be filled by them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { byId } from './locate.mjs';

/** 16 MiB in a few KiB, and as often as it is sent: a gzip may have any number of members (RFC 1952, 2.2). */
const bomb = gzipSync(Buffer.alloc(16 * 1024 ** 2, '# '));
const limit = 1024 ** 3;
/** Of what n8n keeps of other plays none is as large. */
const largeBytes = 64 * 1024 ** 2;

/** Unpacks without an end. `ended` resolves with the connection's. */
async function openEndless() {
  let note;
  const ended = new Promise((resolve) => (note = resolve));
  const send = async (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    while (!response.destroyed) {
      if (!response.write(bomb)) await Promise.race([once(response, 'drain'), ended]);
    }
  };
  const server = createServer((_request, response) => {
    response.on('close', note);
    void send(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, ended, close };
}

function findLarge(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size > largeBytes);
}

export const cases = ['filesystem', 'memory'].map((mode) => ({
  name: `unpacks without an end, kept in n8n's ${mode}`,
  play: async ({ engine, side }) => {
    engine.useBinary(mode);
    const service = await openEndless();
    try {
      const { error, items } = await engine.run({
        resource: 'export',
        operation: 'download',
        parameters: { meetingId: byId('m_1'), format: 'md' },
        credentials: { aftermeetApi: { ...side.credentials.aftermeetApi, baseUrl: service.url } },
      });
      assert.equal(error?.message, `The file has more than the ${limit} bytes that an export may have`);
      assert.equal(items?.length ?? 0, 0);
      await service.ended;
      assert.deepEqual(findLarge(engine.binaries.config.localStoragePath), []);
    } finally {
      service.close();
    }
  },
}));
