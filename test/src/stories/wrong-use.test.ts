import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { makeTemporaryFolder } from '../support/index.ts';
import { runAftermeet } from './aftermeet-process.ts';

describe('wrong use of the command', () => {
  it('names a wrong setting, what was found and what is expected, and exits 2', async () => {
    const run = await runAftermeet(['receiver'], { PORT: 'eighty', WEBHOOK_SECRET: 'hunter2' });
    expect(run).toEqual({
      code: 2,
      stdout: '',
      stderr: `These settings can't be used:

WEBHOOK_SECRET: found 7 characters; expected 16 to 128 characters that can't be guessed (this one is shorter than 16 characters)
PORT: found "eighty"; expected a whole number from 0 to 65535
`,
    });
  });
});

describe('a failure that is not wrong use', () => {
  it('has exit code 1: a requested port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const folder = await makeTemporaryFolder();
    const run = await runAftermeet(['receiver'], {
      PORT: port,
      WEBHOOK_SECRET: 'whsec_0123456789abcdef',
      QUEUE_URL: `embedded:${folder.path}`,
    });
    other.close();
    folder.remove();
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`Port ${port} is taken`);
  });
});
