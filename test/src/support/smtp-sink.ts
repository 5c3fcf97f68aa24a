import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { findFreePort } from './free-port.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { waitUntilUp } from './wait-until-up.ts';

export interface SmtpSinkOptions {
  /** The commands at which it hangs up without an answer, such as `rcpt`, `data` or `.`, the final dot. */
  readonly dropAt?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** The mail server that comes with Postfix for tests: it takes every mail, and can be told where to fail. */
export interface SmtpSink {
  readonly port: number;
  readonly url: string;
  /** What it took so far, whole mails with the lines that it puts in front of them. */
  readMails(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts a sink (man smtp-sink). Its first connection is our look whether it is up. */
export async function startSmtpSink({ dropAt, port: wished }: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const folder = await makeTemporaryFolder();
  const mails = path.join(folder.path, 'mails');
  await mkdir(mails);
  await chmod(mails, 0o777);
  const port = wished ?? (await findFreePort());
  const words = [
    // It takes no work from root.
    ...(os.userInfo().username === 'root' ? ['-u', 'nobody'] : []),
    ...(dropAt === undefined ? [] : ['-q', dropAt]),
    '-d',
    `${mails}/`,
    `127.0.0.1:${port}`,
    '10',
  ];
  // Ends by itself if the test process died.
  const child = spawn('timeout', ['300', 'smtp-sink', ...words], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  await waitUntilUp('smtp-sink', child, () => isOpen(port));
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    readMails: async () => {
      const names = (await readdir(mails)).toSorted();
      return await Promise.all(names.map((name) => readFile(path.join(mails, name), 'utf8')));
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
      folder.remove();
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.end();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
