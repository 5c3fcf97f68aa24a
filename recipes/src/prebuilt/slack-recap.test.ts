import { describe, expect, it } from 'vitest';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { SlackMessage } from '../destinations/slack/message.ts';
import type { PlannedEffect, ReportInput } from '../engine/recipe.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { parseText } from '../report/parse-text.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { slackRecap } from './slack-recap.ts';

const target = 'C0123456789';
const digest: Digest = {
  ...buildDigest(sampleReport),
  sections: [{ title: 'Risks', text: parseText('Rain.') }],
};

function bind(values: Readonly<Record<string, unknown>>): ReportInput<BuiltInMessage> {
  expect(slackRecap.check(values)).toEqual([]);
  const { input } = slackRecap.bind(values, { slack: { token: 'xoxb-1', channel: target } });
  if (input.from !== 'report') throw new Error('it is made from the report');
  return input;
}

function render(subject: ReportInput<BuiltInMessage>, part: number, from = digest): SlackMessage {
  const rendered = subject.render(from, { target, part });
  if ('skip' in rendered || rendered.destination !== 'slack') throw new Error('nothing is rendered');
  return rendered.message;
}

const parts = (effects: readonly PlannedEffect[] = []): readonly number[] => effects.map(({ part }) => part);

describe('slackRecap', () => {
  it('is one message, replies, and a file whose part never moves', () => {
    const subject = bind({ file: 'pdf', link: 'https://app.example.com/{meeting_id}' });
    expect(parts(subject.expand?.(digest, { target, part: 0 }))).toEqual([1, 9]);
    expect(parts(subject.expand?.(digest, { target, part: 1 }))).toEqual([]);
    expect(render(subject, 0).text).toContain('Open the report: https://app.example.com/m_1');
    expect(render(subject, 1).text).toContain('Risks\nRain.');
    expect(render(subject, 9)).toEqual({
      text: 'Weekly sync 2026-07-07 (pdf)',
      blocks: [],
      file: {
        meetingId: 'm_1',
        format: 'pdf',
        name: 'Weekly sync 2026-07-07',
        version: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(subject.render(digest, { target, part: 5 })).toHaveProperty('skip');
  });

  it('has the same file for the same report, and another one for another', () => {
    const subject = bind({ file: 'md' });
    const version = (from: Digest): string => render(subject, 9, from).file?.version ?? '';
    expect(version({ ...digest })).toBe(version(digest));
    expect(version({ ...digest, title: 'Other' })).not.toBe(version(digest));
  });

  it('names its file after the day on the clocks of the meeting', () => {
    const late = { ...digest, startedAt: '2026-07-06T22:30:00.000Z', startedLocal: '2026-07-07 01:30' };
    expect(render(bind({ file: 'md' }), 9, late).file?.name).toBe('Weekly sync 2026-07-07');
  });

  it('is one message alone where nothing else is wanted', () => {
    const subject = bind({ sections: ['outcome', 'summary', 'decisions', 'tasks'] });
    expect(subject.expand?.(digest, { target, part: 0 })).toEqual([]);
    expect(subject.render(digest, { target, part: 9 })).toHaveProperty('skip');
  });

  it('says what is wrong with its options', () => {
    expect(slackRecap.check({ sections: 'some', maxTasks: 0, file: 'xls', mention: 'no' })).toMatchObject([
      {
        setting: 'with.sections',
        expected: 'a list of outcome, summary, decisions, tasks, more, each at most once',
      },
      { setting: 'with.mention', expected: 'true or false' },
      { setting: 'with.maxTasks', expected: 'a whole number from 1 to 200' },
      { setting: 'with.file', expected: 'pdf, docx or md' },
    ]);
  });
});
