import { html } from '@aftermeet/pages';

import type { ConsoleAction, ConsoleData, EffectLine, ReplayChoice } from '../console/console-data.ts';

const HOSTILE = '<script>alert(1)</script>"onx=\'javascript:\u202E\u{E0041}&';
export const EFFECT_KEY = 'a1'.repeat(32);
/** The one approval link that is known. */
export const LINK = 'b2'.repeat(72);

/** A console of one failed and one held effect, all of whose texts are hostile. */
export function createTestConsoleData(nowMs: () => number): ConsoleData & {
  readonly done: ConsoleAction[];
  readonly replayed: { readonly choice: ReplayChoice; readonly who: string }[];
} {
  const kept = new Map<string, { readonly text: string; readonly untilMs: number }>();
  const done: ConsoleAction[] = [];
  const subscription: { for?: 'all' | 'meeting' | undefined } = {};
  const replayed: { readonly choice: ReplayChoice; readonly who: string }[] = [];
  const effect: EffectLine = {
    effectKey: EFFECT_KEY,
    meetingId: HOSTILE,
    recipe: HOSTILE,
    destination: HOSTILE,
    part: 0,
    state: 'failed',
    tone: 'bad',
    changedAtMs: nowMs(),
    cause: HOSTILE,
    reference: HOSTILE,
    nextTryMs: nowMs(),
    hasAddress: true,
    actions: ['retry', 'sent', 'not-sent', 'dismiss', 'review'],
  };
  const line = { meetingId: HOSTILE, title: HOSTILE, endpoint: HOSTILE, atMs: nowMs() };
  const attention = { effects: [effect], isMore: true, notices: [HOSTILE] };
  return {
    done,
    replayed,
    queueName: HOSTILE,
    sessions: {
      read: async (name) => {
        const found = kept.get(name);
        return found !== undefined && found.untilMs > nowMs() ? found.text : undefined;
      },
      write: async (name, text, keepMs) => void kept.set(name, { text, untilMs: nowMs() + keepMs }),
    },
    readMark: async () => String(done.length),
    listMeetings: async () => ({
      meetings: [{ ...line, remarks: [{ about: HOSTILE, words: HOSTILE, tone: 'bad' }] }],
      next: `1~${HOSTILE}`,
      searched: 2000,
    }),
    readMeeting: async (meetingId) =>
      meetingId === 'm_none'
        ? undefined
        : {
            ...line,
            steps: [{ atMs: nowMs(), words: HOSTILE, tone: 'good' }],
            notTaken: [{ recipe: HOSTILE, cause: HOSTILE }],
            effects: [effect],
          },
    previewMeeting: async (meetingId) =>
      meetingId === 'm_none' ? undefined : { drawn: html`<p>${HOSTILE}</p>` },
    listAttention: async () => attention,
    listWaiting: async () => attention,
    readOverview: async () => ({
      effects: { failed: 1 },
      lastHour: [{ fromMs: nowMs(), sent: 3, failed: 1 }],
      lastDay: [],
      waitingDeliveries: 2,
      waitingEffects: 3,
      oldestMs: 90_000,
      workers: [{ name: HOSTILE, words: HOSTILE, tone: 'bad', atMs: nowMs() }],
      notices: [HOSTILE],
    }),
    listRecipes: async () => [
      {
        name: HOSTILE,
        use: HOSTILE,
        description: HOSTILE,
        takes: [HOSTILE],
        destination: HOSTILE,
        endpoints: [HOSTILE],
        problems: [HOSTILE],
      },
    ],
    readEffect: async (effectKey) => (effectKey === EFFECT_KEY ? effect : undefined),
    listHeld: async () => [effect],
    readMessage: async (effectKey) =>
      effectKey === EFFECT_KEY
        ? {
            effect,
            to: HOSTILE,
            subject: HOSTILE,
            text: HOSTILE,
            html: '<style>p { color: red }</style><p>The mail</p><script>alert(1)</script>',
            contentHash: 'c0ffee',
            problem: HOSTILE,
          }
        : undefined,
    locate: async (effectKey) =>
      effectKey === EFFECT_KEY ? { url: 'https://team.slack.com/archives/C0/p1' } : undefined,
    findApproval: async (token) =>
      token === LINK
        ? { effectKey: EFFECT_KEY, who: 'the link in the mail to a…@example.com', expiresAtMs: nowMs() }
        : undefined,
    listSuppressed: async () => [{ address: HOSTILE, meetingId: HOSTILE, atMs: nowMs(), who: HOSTILE }],
    changeSuppressed: async ({ address }) => (address === '' ? HOSTILE : undefined),
    findSubscription: async (token) =>
      token === LINK ? { address: HOSTILE, hasMeeting: true, suppressedFor: subscription.for } : undefined,
    changeSubscription: async (token, { isSuppressed, isForMeetingOnly }) => {
      if (token !== LINK) return false;
      subscription.for = isSuppressed ? (isForMeetingOnly ? 'meeting' : 'all') : undefined;
      return true;
    },
    replay: async (choice, { isDryRun, who }) => {
      if (!isDryRun) replayed.push({ choice, who });
      return {
        deliveries: 2,
        isCut: true,
        effects: [{ words: HOSTILE, count: 3, isChanged: true }],
        refused: [HOSTILE],
      };
    },
    act: async (action) => {
      done.push(action);
      return HOSTILE;
    },
  };
}
