import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  describeEachStore,
  makeTemporaryFolder,
  selfSigned,
  selfSignedElsewhere,
  type TemporaryFolder,
} from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { PostgresBackend } from '../backend.ts';
import { openEmbeddedBackend } from '../embedded/embedded-backend.ts';
import { createInbox, openBackend, silentLog } from '../index.ts';
import { takeEvents } from '../testing/take-events.ts';
import { readTlsSettings } from './tls.ts';

const log = silentLog;

describeEachStore(
  'sslmode',
  () => {
    let folder: TemporaryFolder;
    let server: PostgresBackend;
    let address: string;
    let root: string;
    let otherRoot: string;

    beforeAll(async () => {
      folder = await makeTemporaryFolder({ inMemory: true });
      root = join(folder.path, 'root.pem');
      otherRoot = join(folder.path, 'other.pem');
      await writeFile(root, selfSigned.cert);
      await writeFile(otherRoot, selfSignedElsewhere.cert);
      server = await openEmbeddedBackend(folder.path, { namespace: 'aftermeet', log, transport: 'tcp' });
      const { port, password } = server.poolConfig('work');
      address = `postgres://aftermeet:${String(password)}@127.0.0.1:${port}/postgres`;
    });
    afterAll(async () => {
      await server.close();
      folder.remove();
    });

    const words = (parameters: string): string =>
      parameters.replace('ROOT', root).replace('OTHER', otherRoot);

    /** Whether the connections of a backend use TLS. */
    async function usesTls(parameters: string): Promise<unknown> {
      const backend = await openBackend(address + words(parameters), { log });
      if (backend.kind !== 'postgres') throw new Error('not PostgreSQL');
      const answer = await ask(
        backend.poolConfig('accept'),
        'select ssl as answer from pg_stat_ssl where pid = pg_backend_pid()',
      );
      await backend.close();
      return answer;
    }

    describe('with a server that has TLS', () => {
      beforeAll(() => configure(server, { tls: true, rule: 'host', certificate: selfSigned }));

      it.each([
        ['', false],
        ['?sslmode=disable', false],
        ['?sslmode=allow', false],
        ['?sslmode=prefer', true],
        ['?sslmode=require', true],
        ['?sslmode=require&sslrootcert=ROOT', true],
        ['?sslmode=no-verify', true],
        ['?sslmode=verify-ca&sslrootcert=ROOT', true],
        ['?sslmode=verify-full&sslrootcert=ROOT', true],
        ['?sslmode=require&uselibpqcompat=true', true],
      ])('%s connects: %s', async (parameters, expected) => {
        expect(await usesTls(parameters)).toBe(expected);
      });

      it.each([
        ['?sslmode=verify-full', 'self-signed certificate'],
        ['?sslmode=verify-full&sslrootcert=system', 'self-signed certificate'],
        ['?sslmode=verify-full&sslrootcert=OTHER', 'self-signed certificate'],
        ['?sslmode=verify-ca&sslrootcert=OTHER', 'self-signed certificate'],
        ['?sslmode=require&sslrootcert=OTHER', 'self-signed certificate'],
        ['?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=FILE'],
        ['?sslmode=verify-ca&sslrootcert=ROOTx', "a certificate file of its address can't be read: ENOENT"],
        [
          '?sslmode=always',
          'its sslmode is "always": expected disable, allow, prefer, require, verify-ca or verify-full',
        ],
      ])('%s is refused: %s', async (parameters, problem) => {
        await expect(usesTls(parameters)).rejects.toThrow(problem);
      });

      it('takes a delivery from the inbox to the worker', async () => {
        await configure(server, { tls: true, rule: 'hostssl', certificate: selfSigned });
        const backend = await openBackend(`${address}?sslmode=require`, { log });
        const inbox = await createInbox(backend, { log });
        const worker = takeEvents(backend);
        const job = { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' };
        await inbox.accept({ jobId: 'job-1', job, keepSeconds: 60, deliveryKey: 'wh_1' });
        await expect.poll(() => worker.taken, { timeout: 10_000 }).toEqual(['job-1']);
        await worker.close();
        await inbox.close();
        await backend.close();
      });
    });

    describe('with the certificate of another host', () => {
      beforeAll(() => configure(server, { tls: true, rule: 'host', certificate: selfSignedElsewhere }));

      it('verify-ca trusts the authority alone', async () => {
        expect(await usesTls('?sslmode=verify-ca&sslrootcert=OTHER')).toBe(true);
      });

      it('verify-full wants the name as well', async () => {
        await expect(usesTls('?sslmode=verify-full&sslrootcert=OTHER')).rejects.toThrow(
          "does not match certificate's altnames",
        );
      });
    });

    describe('with a server that demands TLS', () => {
      beforeAll(() => configure(server, { tls: true, rule: 'hostssl', certificate: selfSigned }));

      it('allow uses it', async () => {
        expect(await usesTls('?sslmode=allow')).toBe(true);
      });

      it('disable is refused', async () => {
        await expect(usesTls('?sslmode=disable')).rejects.toThrow('no encryption');
      });
    });

    describe('with a server without TLS', () => {
      beforeAll(() => configure(server, { tls: false, rule: 'host', certificate: selfSigned }));

      it.each(['?sslmode=prefer', '?sslmode=allow'])('%s does without', async (parameters) => {
        expect(await usesTls(parameters)).toBe(false);
      });

      it.each(['require', 'verify-ca', 'verify-full'])('%s is refused', async (mode) => {
        await expect(usesTls(`?sslmode=${mode}&sslrootcert=ROOT`)).rejects.toThrow(
          'The server does not support SSL connections',
        );
      });

      it('a wrong password is refused, and not told', async () => {
        const wrong = address.replace(/:[^:@]*@/, ':hunter2@');
        const opening = openBackend(`${wrong}?sslmode=prefer`, { log });
        await expect(opening).rejects.toThrow('password authentication failed');
        await expect(opening).rejects.not.toThrow('hunter2');
      });
    });
  },
  ['embedded'],
);

it('a socket of this machine has no TLS, whatever is asked', async () => {
  const address = 'postgres://me@localhost/a?host=%2Ftmp&sslmode=require';
  expect(await readTlsSettings(address)).toEqual({
    url: 'postgres://me@localhost/a?host=%2Ftmp',
    choices: [{ ssl: false }],
  });
});

/** Changes a running server: its certificate, and the rule for the database of the tests. */
async function configure(
  server: PostgresBackend,
  {
    tls,
    rule,
    certificate,
  }: { readonly tls: boolean; readonly rule: 'host' | 'hostssl'; readonly certificate: typeof selfSigned },
): Promise<void> {
  const admin = { ...server.poolConfig('work'), database: 'template1' };
  const data = String(await ask(admin, `select current_setting('data_directory') as answer`));
  const readLoadTime = () => ask(admin, 'select pg_conf_load_time()::text as answer');
  const loadTime = await readLoadTime();
  const { uid, gid } = await stat(data);
  const files = {
    'server.key': certificate.key,
    'server.crt': certificate.cert,
    'postgresql.auto.conf': `ssl = ${tls ? 'on' : 'off'}\n`,
    'pg_hba.conf': [`${rule} postgres`, 'host template1']
      .map((start) => `${start} all 127.0.0.1/32 scram-sha-256\n`)
      .join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGHUP');
  await vi.waitFor(async () => expect(await readLoadTime()).not.toBe(loadTime), 10_000);
}

async function ask(config: pg.ClientConfig, sql: string): Promise<unknown> {
  const client = new pg.Client(config);
  await client.connect();
  const { rows } = await client.query<{ answer?: unknown }>(sql);
  await client.end();
  return rows[0]?.answer;
}
