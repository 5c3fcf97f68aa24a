import type { Report } from '@aftermeet/client';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildDigest } from '../../../recipes/src/report/digest.ts';
import { checkSent } from './check-sent.ts';
import { openWire, type Wire } from './open-wire.ts';
import { renderReport } from './read-messages.ts';
import { plainCases } from './recipe-cases.ts';

// An all-hands meeting of three hours: 300 participants, 6,000 segments, 40 tasks of 20 owners.
const participants = Array.from({ length: 300 }, (_each, at) => ({
  name: `Person ${at + 1} of the company`,
  email: `person.${at + 1}@example.com`,
}));
const allHands: Report = {
  meetingId: 'm_all_hands',
  title: 'All hands: results of the second quarter',
  startedAt: '2026-07-07T12:00:00Z',
  durationSeconds: 3 * 60 * 60,
  source: 'zoom',
  isTranscriptEmpty: false,
  participants,
  speakers: participants.slice(0, 60),
  summary:
    'Revenue grew by 12 percent, and the new office opens on 1 September. ' +
    `${'Each department showed what it had done and what comes next. '.repeat(20)}\n\n` +
    Array.from({ length: 12 }, (_each, at) => `- Department ${at + 1} met its goals`).join('\n'),
  decisions: Array.from({ length: 10 }, (_each, at) => `Budget line ${at + 1} stays as it is`),
  tasks: Array.from({ length: 40 }, (_each, at) => ({
    text: `Write down what department ${at + 1} needs`,
    owner: `Person ${(at % 20) + 1} of the company`,
    due: '2026-07-20',
    dueDate: '2026-07-20',
  })),
  transcript: Array.from({ length: 6000 }, (_each, at) => ({
    speaker: `Person ${(at % 60) + 1} of the company`,
    text: `Segment ${at + 1}: and so we did what we had planned.`,
    startSeconds: at * 1.8,
    endSeconds: at * 1.8 + 1.7,
  })),
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
};

let wire: Wire;
const warnings: string[] = [];
const noteWarning = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);

beforeAll(async () => {
  process.on('warning', noteWarning);
  wire = await openWire();
});
afterAll(async () => {
  await wire.close();
  process.off('warning', noteWarning);
});

it.each(plainCases)(
  '%s of 300 participants and 6,000 segments fits as it arrives',
  async (called, recipe) => {
    const messages = renderReport(recipe, buildDigest(allHands, { withTranscript: true }), wire.destinations);
    const sent = await wire.ship(messages);
    expect(await checkSent(sent)).toEqual([]);
    expect(warnings).toEqual([]);
    // A channel gets one message.
    const inChannel = sent.slack.filter(
      ({ path, body }) => path.includes('chat.postMessage') && JSON.stringify(body).includes('"C0123456789"'),
    );
    expect(inChannel).toHaveLength(called === 'slack-recap' ? 1 : 0);
  },
);
