import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describeWithProgram } from '@aftermeet/test/support';
import { describe, expect, it } from 'vitest';

import { makeFolder } from './testing/for-the-file.ts';
import { serve } from './testing/serve.ts';

const main = join(import.meta.dirname, '../dist/command/main.js');
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

const folder = makeFolder();

interface End {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of bash, in which `"$@"` is the built command. */
async function runLine(line: string): Promise<End> {
  const child = spawn('bash', ['--norc', '-c', line, 'bash', process.execPath, main], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

describeWithProgram('bash', 'a result that cannot be written', () => {
  it('is a failure with a message: a full device', async () => {
    expect(await runLine('"$@" --version > /dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: "The output can't be written (ENOSPC).\n",
    });
  });

  it('is a failure with a message: a file at its size limit', async () => {
    expect(await runLine(`trap '' XFSZ; ulimit -f 1; "$@" --help > part`)).toEqual({
      code: 1,
      stdout: '',
      stderr: "The output can't be written (EFBIG).\n",
    });
  });

  it.each(['--help', 'sandbox --port 0 --json'])(
    'is no failure when the reader has gone: %s stops cleanly',
    async (words) => {
      const { code, stderr } = await runLine(`"$@" ${words} | exit 0; exit "\${PIPESTATUS[0]}"`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );
});

describeWithProgram('bash', 'a folder that was deleted', () => {
  it('is named, without a stack', async () => {
    expect(await runLine('mkdir gone && cd gone && rmdir ../gone && "$@" recipes list')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The current folder does not exist any more (ENOENT).\nChange to a folder that exists.\n',
    });
  });
});

describe('the process', () => {
  function start(words: readonly string[], stdio: StdioOptions, more: Readonly<Record<string, string>> = {}) {
    return spawn(process.execPath, [main, ...words], {
      cwd: folder,
      env: { ...environment, ...more },
      stdio,
    });
  }

  it('ends with the same code if stderr is closed', async () => {
    const child = start(['bogus'], ['ignore', 'ignore', 'pipe']);
    child.stderr?.destroy();
    await once(child, 'close');
    expect(child.exitCode).toBe(2);
  });

  it('stops at Ctrl-C while its results are not read', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/markdown' }).end(Buffer.alloc(8 * 1024 ** 2, 'text\n'));
    });
    const child = start(['export', 'm_1', '--format', 'md', '--output', '-'], ['ignore', 'pipe', 'pipe'], {
      SERVICE_BASE_URL: service.url,
      SERVICE_API_KEY: 'key_0123456789',
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    if (child.stdout !== null) await once(child.stdout, 'readable');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    child.stdout?.destroy();
    await service.close();
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'Stopped.\n' });
  });
});
