import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkDkim, checkInternalDomains, checkMailServer } from '../destinations/email/check.ts';
import { checkFolder } from '../destinations/folder/check.ts';
import { checkHttpAddress } from '../destinations/http/check.ts';
import { listChannels } from '../destinations/slack/check.ts';
import { listNeeds } from './check-destinations.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-check-'));
  await writeFile(join(folder, 'file'), '');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('checkFolder', () => {
  it('takes a folder that exists', async () => {
    expect(await checkFolder('archive', folder)).toMatchObject({ result: 'ok' });
    expect(await checkFolder('archive', join(folder, 'a'))).toMatchObject({
      result: 'failed',
      advice: 'Make it.',
    });
    expect(await checkFolder('archive', join(folder, 'file'))).toMatchObject({
      result: 'failed',
      found: `${join(folder, 'file')} is no folder`,
    });
  });
});

describe('checkInternalDomains', () => {
  it('asks for the own domains of a sender at a public provider', () => {
    expect(checkInternalDomains({ from: 'Ann <ann@gmail.com>' })).toMatchObject([
      { result: 'warning', advice: 'Set mail.internal_domains.' },
    ]);
    expect(checkInternalDomains({ from: 'ann@gmail.com', internalDomains: ['example.com'] })).toEqual([]);
    expect(checkInternalDomains({ from: 'ann@example.com' })).toEqual([]);
  });
});

describe('checkDkim', () => {
  it('reads the key, and never shows it', () => {
    const rsa = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(checkDkim({ domain: 'example.com', selector: 'a', privateKey: rsa.privateKey })).toEqual({
      name: 'DKIM key',
      result: 'ok',
      found: 'a key of the type rsa',
    });
    const ed25519 = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const unsigned = checkDkim({ domain: 'example.com', selector: 'a', privateKey: ed25519.privateKey });
    expect(unsigned).toMatchObject({ result: 'failed', found: 'it is of the type ed25519' });
    const broken = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----';
    const check = checkDkim({ domain: 'example.com', selector: 'a', privateKey: broken });
    expect(check.result).toBe('failed');
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });
});

describe('checkMailServer', () => {
  it('says what stands in the way without the address', async () => {
    const settings = { smtpUrl: 'smtp://me:hunter2@127.0.0.1:1', from: 'a@example.com', to: [] };
    expect(await checkMailServer(settings, 5000)).toEqual({
      name: 'mail server',
      result: 'failed',
      found: "it can't be used (ECONNREFUSED)",
      advice: 'Check SMTP_URL. Is the port right, and open from here?',
    });
  });
});

describe('checkHttpAddress', () => {
  const need = { url: 'https://hooks.example.com/hunter2', isPrivateAllowed: false };

  it.each([
    ['203.0.113.7', 'failed'],
    ['10.0.0.1', 'failed'],
    ['8.8.8.8', 'ok'],
  ])('resolves the name to %s: %s', async (address, result) => {
    const check = await checkHttpAddress('address of hook', need, 1000, async () => [{ address, family: 4 }]);
    expect(check.result).toBe(result);
    expect(check.found).toContain('hooks.example.com');
    expect(check.found).not.toContain('hunter2');
  });
});

describe('listNeeds', () => {
  const recipe = (use: string, values: object = {}) => ({ name: use, use, when: {}, with: { ...values } });

  it.each([
    [recipe('slack-recap', { mention: false }), { findsPeople: false, hasFiles: false }],
    [recipe('slack-recap', { channel: 'C0SALES', file: 'pdf' }), { channel: 'C0SALES', hasFiles: true }],
    [recipe('slack-tasks'), { findsPeople: true, writesToPeople: true }],
    [recipe('slack-tasks', { fallback: 'C0REST' }), { channel: 'C0REST' }],
    [recipe('slack-alert'), { channel: undefined }],
  ])('asks Slack for what %j does, and for nothing else', (configured, need) => {
    expect(listNeeds('slack', [configured])).toMatchObject([{ recipe: configured.use, need }]);
    expect(listNeeds('email', [configured])).toEqual([]);
  });

  it('reads them from the options, and leaves out what cannot run', () => {
    const tasks = recipe('notion-tasks', { dataSource: '0'.repeat(32), properties: { due: false } });
    expect(listNeeds('notion', [tasks, recipe('notion-tasks')])).toEqual([
      {
        recipe: 'notion-tasks',
        need: { dataSource: '0'.repeat(32), kind: 'task', mapping: { due: false } },
      },
    ]);
    expect(listNeeds('folder', [recipe('archive-export', { folder: '/srv' })])).toEqual([
      { recipe: 'archive-export', need: { folder: '/srv' } },
    ]);
  });
});

describe('listChannels', () => {
  it('names each channel once; only direct messages need none', () => {
    const needs = [{ channel: 'C0SALES' }, {}, {}, { writesToPeople: true }];
    expect(listChannels(needs, { token: 'xoxb-1', channel: 'C0MEETINGS' })).toEqual([
      'C0SALES',
      'C0MEETINGS',
    ]);
    expect(listChannels([{}], { token: 'xoxb-1' })).toEqual([]);
  });
});
