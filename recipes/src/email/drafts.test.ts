import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createMailStandIn } from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { MailSettings } from '../destinations.ts';
import { buildDigest } from '../digest.ts';
import type { Shipment } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { startSmtpScript } from '../testing/start-smtp-script.ts';
import { discardDraft, listDrafts, sendDraft } from './drafts.ts';
import { renderMailRecap } from './render-mail-recap.ts';
import { openMail } from './send-mail.ts';

const closers: (() => Promise<unknown>)[] = [];
let outbox = '';
beforeEach(async () => {
  outbox = path.join(await mkdtemp(path.join(tmpdir(), 'drafts-')), 'deep/outbox');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(path.dirname(path.dirname(outbox)), { recursive: true });
});

function settingsFor(smtpUrl: string): MailSettings {
  return { smtpUrl, from: 'Aftermeet <bot@example.com>', to: [], outbox };
}

async function prepare(effectKey = 'k1', title = 'Überblick: weekly sync 👨‍👩‍👧'): Promise<Shipment> {
  const carrier = openMail(settingsFor('smtp://127.0.0.1:1'));
  closers.push(() => carrier.close());
  const message = { ...renderMailRecap(buildDigest({ ...sampleReport, title })), isDraft: true };
  const preparation = await carrier.prepare(message, { effectKey, target: 'tom@partner.io' });
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

async function openStandIn() {
  const standIn = createMailStandIn();
  closers.push(() => standIn.close());
  const { url } = await standIn.listen();
  return { standIn, settings: settingsFor(url) };
}

const isPosix = process.platform !== 'win32';

describe('a draft', () => {
  it('is kept as a whole mail, for nobody else’s eyes, and nothing is sent', async () => {
    const shipment = await prepare();
    expect(await shipment.probe(0)).toEqual({ result: 'absent', contact: 'none' });
    expect(await shipment.send()).toEqual({ result: 'sent', reference: 'draft:k1', contact: 'none' });
    expect(await shipment.probe(0)).toEqual({ result: 'found', reference: 'draft:k1', contact: 'none' });
    expect(await readdir(outbox)).toEqual(['k1.eml']);
    const file = path.join(outbox, 'k1.eml');
    if (isPosix) expect((await stat(file)).mode & 0o777).toBe(0o600);
    const raw = await readFile(file, 'utf8');
    expect(raw).toContain('X-Unsent: 1\r\n');
    expect(raw).toContain('Message-ID: <k1@example.com>\r\n');
    expect(raw).toContain('To: tom@partner.io\r\n');
    expect(raw).toContain('List-Unsubscribe: <mailto:bot@example.com?subject=unsubscribe>\r\n');
  });

  it('is changed while it waits, and only then', async () => {
    await (await prepare()).send();
    const changed = await prepare('k2', 'Changed title');
    expect(await changed.update?.('draft:k1')).toMatchObject({ result: 'sent', reference: 'draft:k1' });
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', subject: 'Recap: Changed title' }]);
    expect(await discardDraft(outbox, 'k1')).toBe(true);
    expect(await changed.update?.('draft:k1')).toMatchObject({ result: 'gone' });
    expect(await changed.update?.('<k1@example.com>')).toMatchObject({ result: 'gone' });
    expect(await changed.update?.('draft:../../etc/passwd')).toMatchObject({ result: 'gone' });
    expect(await listDrafts(outbox)).toEqual([]);
  });

  it('is tried again later where the outbox can not be written', async () => {
    await (await prepare()).send();
    outbox = path.join(outbox, 'k1.eml/inside');
    const sent = await (await prepare()).send();
    outbox = path.resolve(outbox, '../..');
    expect(sent).toEqual({
      result: 'not_sent_retry',
      cause: 'the draft can not be kept (ENOTDIR)',
      contact: 'none',
    });
  });
});

describe('listDrafts', () => {
  it('tells of each what an approver wants to know; an outbox that is not there is empty', async () => {
    expect(await listDrafts(outbox)).toEqual([]);
    await (await prepare()).send();
    const [draft, ...others] = await listDrafts(outbox);
    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      key: 'k1',
      subject: 'Recap: Überblick: weekly sync 👨‍👩‍👧',
      to: 'tom@partner.io',
      isSending: false,
    });
    expect(draft?.writtenAtMs).toBeGreaterThan(0);
  });
});

describe('sendDraft', () => {
  it('sends it as it was shown, under the same id, once', async () => {
    const { standIn, settings } = await openStandIn();
    await (await prepare()).send();
    const [first, second] = await Promise.all([sendDraft(settings, 'k1'), sendDraft(settings, 'k1')]);
    expect([first?.result, second?.result].filter((result) => result === 'sent')).toHaveLength(1);
    expect(await sendDraft(settings, 'k1')).toMatchObject({
      result: 'permanent',
      cause: 'there is no such draft',
    });
    const [mail, ...others] = standIn.received();
    expect(others).toEqual([]);
    expect(mail?.envelope).toEqual({ from: 'bot@example.com', to: ['tom@partner.io'] });
    expect(mail?.messageId).toBe('<k1@example.com>');
    expect(mail?.subject).toBe('Recap: Überblick: weekly sync 👨‍👩‍👧');
    expect(mail?.html).toContain('<h1');
    const names = mail?.headers.map(({ name }) => name) ?? [];
    expect(names).not.toContain('x-unsent');
    expect(names.filter((name) => name === 'date')).toHaveLength(1);
    expect(await readdir(path.join(outbox, 'sent'))).toEqual(['k1.eml']);
    expect(await listDrafts(outbox)).toEqual([]);
    expect(await (await prepare()).probe(0)).toMatchObject({ result: 'found' });
  });

  it('carries the day on which it was approved', async () => {
    const { standIn, settings } = await openStandIn();
    await (await prepare()).send();
    await sendDraft(settings, 'k1', { clock: () => Date.parse('2026-07-08T09:10:11Z') });
    const dates = standIn.received()[0]?.headers.filter(({ name }) => name === 'date');
    expect(dates).toEqual([{ name: 'date', value: 'Wed, 08 Jul 2026 09:10:11 +0000' }]);
  });

  it('lets it wait where it was surely not sent', async () => {
    await (await prepare()).send();
    expect(await sendDraft(settingsFor('smtp://127.0.0.1:1'), 'k1')).toMatchObject({
      result: 'not_sent_retry',
    });
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', isSending: false }]);
  });

  it('sends what may have arrived only when told so', async () => {
    const server = await startSmtpScript();
    closers.push(() => server.close());
    await (await prepare()).send();
    server.faults = { DOT: 'drop' };
    expect(await sendDraft(settingsFor(server.url), 'k1')).toMatchObject({ result: 'unknown' });
    server.faults = {};
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', isSending: true }]);
    expect(await sendDraft(settingsFor(server.url), 'k1')).toMatchObject({ result: 'unknown' });
    expect(server.messages).toHaveLength(1);
    expect(await sendDraft(settingsFor(server.url), 'k1', { again: true })).toMatchObject({ result: 'sent' });
    expect(server.messages).toHaveLength(2);
    expect(await discardDraft(outbox, 'k1')).toBe(false);
  });

  it('sends again once of two who say so at once, and never what somebody is sending', async () => {
    const server = await startSmtpScript();
    closers.push(() => server.close());
    const settings = settingsFor(server.url);
    await (await prepare()).send();
    server.faults = { DOT: 'drop' };
    await sendDraft(settings, 'k1');
    server.faults = {};
    const options = { again: true, clock: () => 1_000_000 };
    const both = await Promise.all([sendDraft(settings, 'k1', options), sendDraft(settings, 'k1', options)]);
    expect(both.map(({ result }) => result).toSorted()).toEqual(['sent', 'unknown']);
    expect(server.messages).toHaveLength(2);
  });

  it('sends again what a process was killed at, when it can not be at it any more', async () => {
    const { standIn, settings } = await openStandIn();
    const shipment = await prepare();
    await shipment.send();
    await mkdir(path.join(outbox, 'sending'));
    await rename(path.join(outbox, 'k1.eml'), path.join(outbox, 'sending/k1.1000000.eml'));
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', isSending: true }]);
    expect(await shipment.probe(0)).toMatchObject({ result: 'found' });
    const sendAt = (nowMs: number) => sendDraft(settings, 'k1', { again: true, clock: () => nowMs });
    expect(await sendAt(1_060_000)).toMatchObject({
      result: 'unknown',
      cause: expect.stringContaining('somebody is sending it'),
    });
    expect(await sendAt(1_120_000)).toMatchObject({ result: 'sent' });
    expect(standIn.received()).toHaveLength(1);
  });

  it('takes nothing where the settings are none', async () => {
    await (await prepare()).send();
    const settings = { ...settingsFor('smtp://127.0.0.1:1'), from: 'nobody' };
    await expect(sendDraft(settings, 'k1')).rejects.toThrow('MAIL_FROM');
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', isSending: false }]);
  });

  it('opens no file but a draft', async () => {
    await (await prepare()).send();
    await rename(path.join(outbox, 'k1.eml'), path.join(outbox, '../k1.eml'));
    const settings = settingsFor('smtp://127.0.0.1:1');
    expect(await sendDraft(settings, '../k1')).toMatchObject({ result: 'permanent' });
    expect(await discardDraft(outbox, '../k1')).toBe(false);
  });
});
