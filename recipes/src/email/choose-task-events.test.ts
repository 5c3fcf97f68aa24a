import { describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../digest.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { parseText } from '../text/parse-text.ts';
import { chooseTaskEvents } from './choose-task-events.ts';

const task = (key: string, dueDate?: string) => ({
  key,
  text: parseText(`Do ${key}`),
  ...(dueDate === undefined ? {} : { dueDate }),
});
const digest: Digest = {
  ...buildDigest(sampleReport),
  startedAt: '2026-07-07T11:00:00Z',
  taskGroups: [
    { owner: 'Ann Lee', email: 'Ann@example.com', tasks: [task('a', '2026-07-10'), task('b')] },
    { owner: 'Bob', tasks: [task('c', '2026-07-11')] },
    { tasks: [task('d', '2026-07-12')] },
  ],
};

describe('chooseTaskEvents', () => {
  it('has the dated tasks of the recipient alone', () => {
    expect(chooseTaskEvents(digest, 'ann@example.com', 'https://app.example.com/m_1')).toEqual([
      {
        key: 'Ann Lee\na',
        summary: 'Do a',
        description: 'Agreed in: Weekly sync\nhttps://app.example.com/m_1',
        date: '2026-07-10',
        stampedAt: '2026-07-07T11:00:00Z',
      },
    ]);
  });

  it('has those of everybody with their owners for whoever has none', () => {
    expect(chooseTaskEvents(digest, 'tom@partner.io').map(({ summary }) => summary)).toEqual([
      'Do a (Ann Lee)',
      'Do c (Bob)',
      'Do d',
    ]);
  });
});
