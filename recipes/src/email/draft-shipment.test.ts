import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { claimDraft, findDraft, moveDraft } from './draft-box.ts';
import { openDraftShipment } from './draft-shipment.ts';
import { discardDraft, listDrafts, sendDraft } from './drafts.ts';

const nowMs = 1_000_000;
const overMs = 120_000;
const clock = () => nowMs;

let outbox = '';
beforeEach(async () => {
  outbox = await mkdtemp(path.join(tmpdir(), 'draft-shipment-'));
  mkdirSync(inBox('sending'));
});
afterEach(() => rm(outbox, { recursive: true }));

const inBox = (file: string): string => path.join(outbox, file);
const list = async () =>
  (await readdir(outbox, { recursive: true })).filter((name) => /^[^.]*\..*eml$/.test(name));
const readText = async () => /text .*/.exec(await readFile(inBox('k1.eml'), 'utf8'))?.[0];

/** Keeps `text`; `meanwhile` happens while the mail is written. */
function open(text: string, meanwhile: () => void = () => {}) {
  const compose = (messageId: string) => {
    meanwhile();
    return { from: 'bot@example.com', to: 'tom@partner.io', subject: 'Recap', messageId, text };
  };
  return openDraftShipment({
    outbox,
    effectKey: 'k1',
    compose,
    release: async () => {},
    overMs,
    clock,
  });
}

describe('a change of a draft', () => {
  beforeEach(async () => {
    await open('text before').send();
  });

  it('waits for whoever is sending it, and is not lost when that fails', async () => {
    const sending = inBox(`sending/k1.${nowMs}.eml`);
    const changed = open('text after', () => renameSync(inBox('k1.eml'), sending));
    expect(await changed.update?.('draft:k1')).toEqual({
      result: 'not_sent_retry',
      cause: 'somebody is sending the draft',
      contact: 'none',
    });
    expect(await moveDraft(sending, inBox('k1.eml'))).toBe(true);
    expect(await open('text after').update?.('draft:k1')).toMatchObject({ result: 'sent' });
    expect(await list()).toEqual(['k1.eml']);
    expect(await readText()).toBe('text after');
  });

  it.each(['sending/k1.eml', 'sent/k1.eml'])('is over where it became %s meanwhile', async (file) => {
    mkdirSync(inBox('sent'));
    const changed = open('text after', () => renameSync(inBox('k1.eml'), inBox(file)));
    expect(await changed.update?.('draft:k1')).toMatchObject({ result: 'gone' });
    expect(await list()).toEqual([path.normalize(file)]);
  });

  it('does not bring back what was discarded meanwhile', async () => {
    const changed = open('text after', () => rmSync(inBox('k1.eml')));
    expect(await changed.update?.('draft:k1')).toMatchObject({ result: 'gone' });
    expect(await list()).toEqual([]);
  });

  it('that was cut off leaves a draft that waits', async () => {
    renameSync(inBox('k1.eml'), inBox(`k1.${nowMs}.eml`));
    expect(await findDraft(outbox, 'k1')).toBe('waiting');
    expect(await listDrafts(outbox)).toMatchObject([{ key: 'k1', isSending: false }]);
    const claimAt = (ms: number) => claimDraft(outbox, 'k1', 'sending', { nowMs: ms, overMs });
    expect(await claimAt(nowMs + overMs - 1)).toEqual({ result: 'taken', isUnderWay: true });
    expect(await claimAt(nowMs + overMs)).toMatchObject({ result: 'claimed' });
  });

  it('that was cut off is made again, and can be discarded', async () => {
    renameSync(inBox('k1.eml'), inBox('k1.1.eml'));
    expect(await open('text after').update?.('draft:k1')).toMatchObject({ result: 'sent' });
    expect(await list()).toEqual(['k1.eml']);
    renameSync(inBox('k1.eml'), inBox('k1.1.eml'));
    expect(await discardDraft(outbox, 'k1', { clock: () => 120_000 })).toBe(false);
    expect(await discardDraft(outbox, 'k1', { clock: () => 120_001 })).toBe(true);
    expect(await list()).toEqual([]);
  });

  it('and an approval that fails, at once and in any order, leave one draft', async () => {
    const settings = { smtpUrl: 'smtp://127.0.0.1:1', from: 'bot@example.com', to: [], outbox };
    for (let round = 0; round < 25; round += 1) {
      const text = `text ${round}`;
      const [updated] = await Promise.all([
        open(text).update?.('draft:k1'),
        sendDraft(settings, 'k1', { clock }),
      ]);
      expect(await list()).toEqual(['k1.eml']);
      if (updated?.result === 'sent') expect(await readText()).toBe(text);
      else expect(updated?.result).toBe('not_sent_retry');
    }
  });
});
