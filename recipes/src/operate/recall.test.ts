import { expect, it } from 'vitest';

import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import { createMemoryTools, makeEntry } from '../testing/memory-tools.ts';
import { openTestSlack, testChannel } from '../testing/test-slack.ts';
import { listSentOf, listWithReplies, recallEffect } from './recall.ts';

const nowMs = Date.parse('2026-07-07T13:00:00Z');

it('takes back a message after its replies, and nothing of another one', async () => {
  const { post, emulator, apiUrl } = await openTestSlack();
  const memory = createMemoryTools(nowMs);
  const settings = { slack: { token: 'xoxb-test', apiUrl } };
  const tools = { ledger: memory.ledger, clock: () => nowMs, destinations: settings, recipes: [] };
  const first = await post({ text: 'recap', blocks: [] });
  const reply = (effectKey: string) => post({ text: 'reply', blocks: [] }, { effectKey, parent: first });
  const places = {
    a: first,
    b: await reply('b'),
    c: await reply('c'),
    d: await post({ text: 'd', blocks: [] }, { effectKey: 'd' }),
  };
  const entries = {
    a: makeEntry({ effectKey: 'a', state: 'sent', reference: places.a }),
    b: makeEntry({ effectKey: 'b', state: 'sent', part: 1, reference: places.b }),
    c: makeEntry({ effectKey: 'c', state: 'sent', part: 2, reference: places.c }),
    d: makeEntry({ effectKey: 'd', state: 'sent', targetHash: 'other', reference: places.d }),
  };
  for (const entry of Object.values(entries)) memory.entries.set(entry.effectKey, entry);

  const order = await listWithReplies(entries.a, tools);
  expect(order.map(({ effectKey }) => effectKey)).toEqual(['c', 'b', 'a']);
  for (const entry of order) expect(await recallEffect(entry, tools)).toEqual({ kind: 'recalled' });
  expect(emulator.received().map(({ text, channel }) => [text, channel])).toEqual([['d', testChannel]]);
  expect((await listSentOf('m_1', tools)).map(({ effectKey }) => effectKey)).toContain('d');
});

it.each<[string, Partial<LedgerEntry>, unknown]>([
  ['was not sent', { state: 'failed' }, { kind: 'not_sent', state: 'failed' }],
  [
    'was taken back before',
    { cause: 'taken back by hand', reference: 'C1/1.000001' },
    { kind: 'recalled_before' },
  ],
  ['is nowhere', {}, { kind: 'refused', cause: 'it is not known where it is' }],
  ['is a mail', { destination: 'email', reference: '<x@example.com>' }, { kind: 'impossible' }],
  ['went to what is not configured', { destination: 'notion', reference: 'p' }, { kind: 'impossible' }],
])('leaves alone what %s', async (_name, changes, outcome) => {
  const { ledger } = createMemoryTools(nowMs);
  const tools = { ledger, clock: () => nowMs, destinations: {}, recipes: [] };
  expect(await recallEffect(makeEntry({ state: 'sent', ...changes }), tools)).toEqual(outcome);
});
