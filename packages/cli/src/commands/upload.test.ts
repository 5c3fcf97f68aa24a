import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Context } from '../context.ts';
import { createStop } from '../testing/create-stop.ts';
import { makeFolder, startSandbox } from '../testing/for-the-file.ts';
import { pipe, runAftermeet } from '../testing/run-aftermeet.ts';

const CHUNK_BYTES = 20 * 1024 ** 2;

const folder = makeFolder();
const { sandbox, url } = await startSandbox();
const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: 'sandbox_key', XDG_STATE_HOME: folder };

function run(words: readonly string[], context: Partial<Context> = {}) {
  return runAftermeet(words, { environment, ...context });
}

/** A person who presses Ctrl-C as soon as the line of progress shows something. */
function stopWhenShown(shown: RegExp): { readonly context: Partial<Context>; readonly stderr: () => string } {
  const { press, stop } = createStop();
  let stderr = '';
  return {
    stderr: () => stderr,
    context: {
      isErrorTerminal: true,
      armStop: () => stop,
      // Every look at the clock is a second later, so that every report of progress is drawn.
      clock: createFastClock(),
      writeError: (written) => {
        stderr += written;
        if (shown.test(stderr)) press();
      },
    },
  };
}

function createFastClock(): () => number {
  let nowMs = Date.UTC(2026, 10, 21);
  return () => {
    nowMs += 1000;
    return nowMs;
  };
}

describe('aftermeet upload', () => {
  it('says which meeting it became, and what it was told about it', async () => {
    const file = join(folder, 'talk.mp3');
    await writeFile(file, 'fLaC\0talk');
    const { code, stdout, stderr } = await run(['upload', file, '--title', 'Talk', '--speakers', '2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replaceAll(/[0-9a-f-]{36}/g, 'ID')).toBe(
      'Uploaded 9 bytes.\nMeeting ID\nCheck its status: aftermeet status ID --wait\n',
    );
  });

  it('does not upload the same content twice, and says so', async () => {
    const file = join(folder, 'twice.mp3');
    await writeFile(file, 'fLaC\0twice');
    const first = JSON.parse((await run(['upload', file, '--json'])).stdout);
    expect(first).toMatchObject({ duplicate: false, bytes: 10, chunks: { total: 1, sent: 1, skipped: 0 } });
    expect((await run(['upload', file])).stdout).toBe(
      'This content was uploaded before: nothing was sent. --force sends it again.\n' +
        `Meeting ${first.meetingId}\nCheck its status: aftermeet status ${first.meetingId} --wait\n`,
    );
  });

  it('says that the title of a duplicate was not used', async () => {
    const file = join(folder, 'titled.mp3');
    await writeFile(file, 'fLaC\0titled');
    expect((await run(['upload', file, '--title', 'First'])).stdout).not.toContain('not used');
    const notUsed = 'The title was not used: the meeting keeps the one it has.\n';
    for (const words of [[], ['--force']]) {
      const again = ['upload', file, ...words];
      expect((await run([...again, '--title', 'Second'])).stdout).toContain(`.\n${notUsed}Meeting `);
      expect((await run(again)).stdout).not.toContain('not used');
    }
  });

  it('takes what is piped in', async () => {
    const words = ['upload', '-', '--filename', 'piped.mp3', '--json'];
    const { stdout } = await run(words, { openInput: pipe('fLaC\0', 'piped in') });
    expect(JSON.parse(stdout)).toMatchObject({ bytes: 13 });
    expect(sandbox.uploads().at(-1)).toMatchObject({ filename: 'piped.mp3', bytes: 13 });
  });

  it('stops at Ctrl-C, says how to go on, and goes on', async () => {
    const file = join(folder, 'long.mp4');
    await writeFile(file, Buffer.alloc(CHUNK_BYTES * 1.5, 'fLa\0'));
    // Of the second chunk the first part has left.
    const person = stopWhenShown(/sending \[#+\.+\] 79 %/);
    const stopped = await run(['upload', file], person.context);
    expect({ code: stopped.code, stdout: stopped.stdout }).toEqual({ code: 130, stdout: '' });
    expect(person.stderr().endsWith('\r\u001B[KStopped. Run the same command again to resume.\n')).toBe(true);
    const { code, stdout } = await run(['upload', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Resumed an earlier upload: 1 of 2 chunks were there\.\nUploaded 30\.0 MiB\.\nMeeting /,
    );
  });
});
