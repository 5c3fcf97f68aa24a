import { silentLog } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import type { SlackApprovalCalls } from '../destinations/slack/approval-calls.ts';
import type { ApprovalRecord } from '../engine/approval-requests.ts';
import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import { createMemoryTools } from '../testing/memory-tools.ts';
import { answerSlackApproval } from './slack-approvals.ts';

const NOW_MS = Date.parse('2026-07-07T12:00:00Z');
const ID = 'a'.repeat(80);
const record: ApprovalRecord = {
  effectKey: 'e'.repeat(64),
  contentHash: 'c'.repeat(64),
  destination: 'slack',
  target: 'C0APPROVE',
  by: [],
  to: 'cleo@partner.example',
  subject: 'Weekly',
  expiresAtMs: NOW_MS,
};

function click(action: string, user: object = { id: 'U0ANNA', team_id: 'T0OWN' }) {
  return {
    type: 'block_actions',
    user,
    team: { id: 'T0OWN' },
    channel: { id: 'C0APPROVE' },
    message: { ts: '1.2' },
    trigger_id: '1.2.x',
    actions: [{ action_id: `aftermeet_${action}`, value: ID }],
  };
}

function open({
  known = record,
  member = { isFull: true },
  nowMs = NOW_MS,
}: {
  /** `null`: none is known. */
  readonly known?: ApprovalRecord | null;
  readonly member?: Awaited<ReturnType<SlackApprovalCalls['isFullMember']>>;
  readonly nowMs?: number;
} = {}) {
  const said: string[] = [];
  const tools = createMemoryTools(nowMs);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an entry nothing else counts here
  const entry = {
    effectKey: record.effectKey,
    destination: 'email',
    recipe: 'note',
    meetingId: 'm_1',
    state: 'held',
  } as LedgerEntry;
  tools.entries.set(entry.effectKey, entry);
  const slack: SlackApprovalCalls = {
    showAnswer: async (place, draft, sentence, userId) =>
      void said.push(`${place.channel}/${place.ts} ${draft.subject}: ${sentence} ${userId ?? ''}`.trim()),
    replace: async () => undefined,
    tell: async (_channel, userId, sentence) => void said.push(`${userId}: ${sentence}`),
    openForm: async (trigger, { to, subject }, metadata) =>
      void said.push(`form ${trigger} ${to} ${subject} ${metadata}`),
    isFullMember: async () => member,
  };
  const answer = (payload: unknown) =>
    answerSlackApproval(payload, {
      ...tools,
      readRequest: async (id) => (id === ID ? (known ?? undefined) : undefined),
      slack,
      log: silentLog,
    });
  return { answer, said, state: () => tools.entries.get(entry.effectKey)?.state };
}

describe('answerSlackApproval', () => {
  it('takes each full member where none is named', async () => {
    const { answer, said, state } = open();
    await answer(click('discard'));
    expect([said, state()]).toEqual([
      ['C0APPROVE/1.2 Weekly: Discarded: it is never sent. U0ANNA'],
      'skipped',
    ]);
  });

  it.each([
    ['a guest', {}, { member: { isFull: false } }, 'You are not among those who approve this.'],
    ['who is of another workspace', { id: 'U0ANNA', team_id: 'T0OTHER' }, {}, 'You are not among those'],
    [
      'who cannot be looked up',
      {},
      { member: { failure: 'missing_scope' } },
      'Who you are cannot be checked',
    ],
    ['who is not named', {}, { known: { ...record, by: ['U0TOM'] } }, 'You are not among those'],
    ['who comes too late', {}, { nowMs: NOW_MS + 1 }, 'This request has expired'],
    ['a request that was forgotten', {}, { known: null }, 'This request is not known any more'],
    ['a request of another channel', {}, { known: { ...record, target: 'C0OTHER' } }, 'not known any more'],
    ['a request by mail', {}, { known: { ...record, destination: 'email' } }, 'not known any more'],
  ])('refuses %s', async (_name, user, situation, sentence) => {
    for (const action of ['approve', 'edit', 'discard']) {
      const { answer, said, state } = open(situation);
      await answer(click(action, { id: 'U0ANNA', team_id: 'T0OWN', ...user }));
      expect([said.length, state()]).toEqual([1, 'held']);
      expect(said[0]).toContain(`U0ANNA: `);
      expect(said[0]).toContain(sentence);
    }
  });

  it('opens a form with what the request says', async () => {
    const { answer, said, state } = open();
    await answer(click('edit'));
    const metadata = JSON.stringify({ id: ID, channel: 'C0APPROVE', ts: '1.2' });
    expect([said, state()]).toEqual([[`form 1.2.x cleo@partner.example Weekly ${metadata}`], 'held']);
  });

  it.each([
    undefined,
    'text',
    {},
    { type: 'block_actions' },
    { ...click('approve'), actions: [] },
    { ...click('approve'), actions: [{ action_id: 'open_report' }] },
    { type: 'view_submission', view: { callback_id: 'of_another_app' } },
    { type: 'shortcut' },
  ])('does nothing for %j', async (payload) => {
    const { answer, said, state } = open();
    expect([await answer(payload), said, state()]).toEqual([undefined, [], 'held']);
  });

  it('refuses a form whose place was altered', async () => {
    const { answer, state } = open();
    const submit = (metadata: string) =>
      answer({
        type: 'view_submission',
        user: { id: 'U0ANNA' },
        view: {
          callback_id: 'aftermeet_edit_form',
          private_metadata: metadata,
          state: { values: { to: { to: { value: '' } }, subject: { subject: { value: null } } } },
        },
      });
    for (const metadata of ['', '{}', JSON.stringify({ id: ID, channel: 'C0OTHER', ts: '1.2' })])
      expect(await submit(metadata)).toMatchObject({ response_action: 'errors' });
    expect(state()).toBe('held');
  });
});
