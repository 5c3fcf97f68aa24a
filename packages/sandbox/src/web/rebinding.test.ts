import { request } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createSandbox } from '../create-sandbox.ts';
import { createVendorEmulators } from '../emulators/vendor-emulators.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
});

/** The answer's status; fetch cannot set the Host header. */
function ask(address: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(address, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('a page that has rebound its name to this machine', () => {
  it('reaches neither the operations of the sandbox nor its control routes', async () => {
    const sandbox = createSandbox({
      publicUrl: 'https://sandbox.example.com',
      allowedHosts: ['Box.example.net'],
    });
    open.push(sandbox);
    const { url } = await sandbox.listen();
    const key = { 'x-api-key': 'sandbox_key' };
    const tags = `${url}/api/workspaces/active/tags`;
    expect(await ask(tags, { host: 'evil.example', ...key })).toBe(403);
    expect(await ask(`${url}/_sandbox/identity`, { host: 'evil.example' })).toBe(403);
    expect(await ask(`${url}/_sandbox/reset`, { host: 'evil.example' }, 'POST')).toBe(403);
    for (const host of ['localhost', 'sandbox:4010', '192.0.2.1', 'sandbox.example.com', 'box.example.net']) {
      expect([host, await ask(tags, { host, ...key })]).toEqual([host, 200]);
    }
    // The public name can be that of a tunnel.
    expect(await ask(`${url}/_sandbox/clock`, { host: 'sandbox.example.com' })).toBe(403);
    expect(await ask(`${url}/_sandbox/reset`, { host: 'box.example.net' }, 'POST')).toBe(200);
    expect(await ask(`${url}/_sandbox/reset`, { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
  });

  it('reaches no emulator: neither the API nor what arrived', async () => {
    const vendors = await createVendorEmulators({ allowedHosts: ['box.example.net'] });
    open.push(vendors);
    const { slack, notion, mail } = vendors;
    const addresses = [
      `${slack.apiUrl}api.test`,
      `${slack.url}/_sandbox/received`,
      `${notion.url}/v1/users/me`,
      `${notion.url}/_sandbox/received`,
      `${mail.controlUrl}/_sandbox/received`,
      `${mail.controlUrl}/`,
    ];
    for (const address of addresses) {
      expect([address, await ask(address, { host: 'evil.example' })]).toEqual([address, 403]);
      expect([address, await ask(address, { 'sec-fetch-site': 'cross-site' })]).toEqual([address, 403]);
      for (const host of ['127.0.0.1', 'box.example.net']) {
        expect([address, await ask(address, { host })]).not.toEqual([address, 403]);
      }
    }
  });
});
