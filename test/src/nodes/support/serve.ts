import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createSandbox, type Sandbox, type SandboxOptions } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';

/** A server that ends with the test: answers its address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A sandbox that ends with the test. */
export async function openSandbox(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = createSandbox({ seed: 7, ...options });
  onTestFinished(sandbox.close);
  return { sandbox, ...(await sandbox.listen()) };
}

interface SharedSandbox {
  readonly sandbox: Sandbox;
  /** Once the tests begin. */
  readonly url: string;
  /** Of its only meeting, once the tests begin. */
  readonly meetingId: string;
}

/** A sandbox for all tests of a file, with `meetings` in it; each test begins without faults. */
export function shareSandbox({ meetings = 1, days = 1, ...options }: SharedOptions = {}): SharedSandbox {
  const sandbox = createSandbox({ seed: 1, ...options });
  const shared = { sandbox, url: '', meetingId: '' };
  beforeAll(async () => {
    ({ url: shared.url } = await sandbox.listen());
    [shared.meetingId = ''] = sandbox.seed({ meetings, languages: ['en'], days }).meetingIds;
  });
  afterEach(() => sandbox.faults.reset());
  afterAll(() => sandbox.close());
  return shared;
}

interface SharedOptions extends SandboxOptions {
  readonly meetings?: number;
  readonly days?: number;
}
