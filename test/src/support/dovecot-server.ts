import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { findFreePort } from './free-port.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { waitUntilUp } from './wait-until-up.ts';

/** A Dovecot (an IMAP server) of our own, with everything in a temporary folder. */
export interface DovecotServer {
  /** `host:port`. Any user is taken, with the password `secret`. */
  readonly host: string;
  /** `host:port` where mail is handed in by LMTP (RFC 2033); only with a Sieve script. */
  readonly lmtpHost: string;
  /** How many mails the INBOX of a user holds. */
  countMails(user: string): Promise<number>;
  stop(): Promise<void>;
}

export interface DovecotOptions {
  /** What is done with mail that is handed in (RFC 5228); without it none can be. */
  readonly sieve?: string;
}

/** Starts a server on a free port. A mailbox has an INBOX and a folder `Sent`, marked as such. */
export async function startDovecotServer({ sieve }: DovecotOptions = {}): Promise<DovecotServer> {
  const folder = await makeTemporaryFolder();
  const port = await findFreePort();
  const lmtpPort = sieve === undefined ? 0 : await findFreePort();
  const mail = path.join(folder.path, 'mail');
  await mkdir(mail);
  await chmod(mail, 0o777);
  const file = path.join(folder.path, 'dovecot.conf');
  const script = path.join(mail, 'filter.sieve');
  if (sieve !== undefined) await writeFile(script, sieve, { mode: 0o644 });
  const delivery = sieve === undefined ? '' : describeDelivery(script, lmtpPort);
  await writeFile(file, describeServer(folder.path, mail, port) + delivery);
  // Ends by itself if the test process died.
  const child = spawn('timeout', ['300', 'dovecot', '-F', '-c', file], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const isUp = async (): Promise<boolean> =>
    (await answers(port)) && (lmtpPort === 0 || (await answers(lmtpPort)));
  await waitUntilUp('Dovecot', child, isUp, () =>
    readFile(`${folder.path}/dovecot.log`, 'utf8').catch(() => ''),
  );
  return {
    host: `127.0.0.1:${port}`,
    lmtpHost: `127.0.0.1:${lmtpPort}`,
    countMails: async (user) => {
      const folders = ['new', 'cur'].map((name) => path.join(mail, user, name));
      const names = await Promise.all(folders.map((name) => readdir(name).catch(() => [])));
      return names.flat().length;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
      folder.remove();
    },
  };
}

function describeServer(folder: string, mail: string, port: number): string {
  const { username } = os.userInfo();
  // Dovecot takes no work from root.
  const user = username === 'root' ? 'nobody' : username;
  const services = ['imap-login', 'anvil', 'stats'].map((name) => `service ${name} {\n  chroot =\n}`);
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
listen = 127.0.0.1
first_valid_uid = 1
default_login_user = ${user}
default_internal_user = ${user}
default_internal_group = ${user === 'nobody' ? 'nogroup' : user}
mail_location = maildir:${mail}/%u
${services.join('\n')}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${user} gid=${user === 'nobody' ? 'nogroup' : user} home=${mail}/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
`;
}

/** Mail is taken for any user, and a script decides what becomes of it. */
function describeDelivery(script: string, port: number): string {
  return `
protocols = imap lmtp
postmaster_address = postmaster@example.com
hostname = mail.example.com
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${port}
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:${script};active=${script}
}
`;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
