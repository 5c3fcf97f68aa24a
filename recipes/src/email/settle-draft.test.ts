import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { settleDraft } from './drafts.ts';

let outbox = '';
beforeEach(async () => {
  outbox = await mkdtemp(path.join(tmpdir(), 'drafts-settle-'));
  await mkdir(path.join(outbox, 'sending'));
});
afterEach(() => rm(outbox, { recursive: true }));

const put = (file: string) => writeFile(path.join(outbox, file), 'To: tom@partner.io\r\n\r\n');
const list = async () => (await readdir(outbox, { recursive: true })).filter((name) => name.endsWith('.eml'));

describe('settleDraft', () => {
  it.each([
    ['sent', path.join('sent', 'k1.eml')],
    ['not_sent', 'k1.eml'],
  ] as const)('takes a word for it: %s', async (word, file) => {
    await put('sending/k1.eml');
    expect(await settleDraft(outbox, 'k1', word)).toBe('settled');
    expect(await list()).toEqual([file]);
  });

  it('leaves alone what somebody may be sending, until they can not be at it any more', async () => {
    await put('sending/k1.1000000.eml');
    const settleAt = (nowMs: number) => settleDraft(outbox, 'k1', 'not_sent', { clock: () => nowMs });
    expect(await settleAt(1_119_999)).toBe('under_way');
    expect(await list()).toEqual([path.join('sending', 'k1.1000000.eml')]);
    expect(await settleAt(1_120_000)).toBe('settled');
    expect(await list()).toEqual(['k1.eml']);
  });

  it('settles nothing that waits or is not there', async () => {
    await put('k1.eml');
    expect(await settleDraft(outbox, 'k1', 'sent')).toBe('not_open');
    expect(await settleDraft(outbox, 'k2', 'sent')).toBe('missing');
    expect(await settleDraft(path.join(outbox, 'sending'), '../k1', 'sent')).toBe('missing');
    expect(await list()).toEqual(['k1.eml']);
  });
});
