import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { findFreePort } from './free-port.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { waitUntilUp } from './wait-until-up.ts';

/** A PgBouncer in front of a PostgreSQL. */
export interface PgBouncer {
  /** The address of the same database through it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** `postgresUrl` has the folder of the server's socket in `?host=`, as the address of a test store has. */
export async function startPgBouncer(
  postgresUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const { pathname, searchParams, password } = new URL(postgresUrl);
  const folder = await makeTemporaryFolder();
  const port = await findFreePort();
  const config = join(folder.path, 'pgbouncer.ini');
  // Only a server that root has started asks for one; clients of the pooler are let in without.
  const login =
    password === '' ? 'user=aftermeet' : `user=aftermeet password=${decodeURIComponent(password)}`;
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  };
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=${searchParams.get('host')} port=5432 ${login}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  // It refuses to run as root, and the socket belongs to the user of the server.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('timeout', ['300', 'pgbouncer', ...user, config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    folder.remove();
  };
  try {
    await waitUntilUp(
      'PgBouncer',
      child,
      () => answers(port),
      () => Promise.resolve(log),
    );
  } catch (error) {
    folder.remove();
    throw error;
  }
  return { url: `postgres://aftermeet@127.0.0.1:${port}${pathname}`, stop };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
