import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, expect, it } from 'vitest';

import { root } from '../pins/picture.ts';
import { openTestStore, type TestStore } from '../support/index.ts';
import { deliver } from './deliver.ts';
import { SECRET } from './services.ts';

const STORY_WITHIN_MS = 60_000;

let store: TestStore | undefined;
afterEach(() => store?.dispose());

/** The example of docs/webhooks.md with this file name. */
async function readExample(name: string): Promise<string> {
  const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  const [, code] = page.split(`\`${name}\``)[1]?.split(/^```(?:js)?\n/m) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no example ${name}`);
  return code;
}

it(
  'the example of an Express app with a receiver in it takes a delivery and ends in good order',
  { timeout: STORY_WITHIN_MS },
  async () => {
    expect.assertions(3);
    // A folder from which Node resolves the imported packages.
    const folder = join(root, 'node_modules/.cache/aftermeet-test');
    const file = join(folder, `own-express-app-${process.pid}.mjs`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, await readExample('hooks.mjs'));
    store = await openTestStore('embedded');
    const child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, PORT: '0', QUEUE_URL: store.queueUrl, WEBHOOK_SECRET: SECRET },
    });
    try {
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.startsWith('http://')) continue;
        expect(await deliver(line, 'own-express-app')).toBe(200);
        expect(await deliver(line, 'own-express-app', `${SECRET}x`)).toBe(401);
        break;
      }
      child.stdout.resume();
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await rm(file);
    }
  },
);
