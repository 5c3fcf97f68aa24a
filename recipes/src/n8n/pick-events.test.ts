import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { toN8nWorkflow } from './to-n8n-workflow.ts';

const filter = z.object({
  conditions: z.object({
    conditions: z.array(z.object({ id: z.string(), leftValue: z.string(), rightValue: z.string() })),
  }),
});

/** One condition of the filter that looks at the event. */
function find(use: string, when: Readonly<Record<string, unknown>>, id: string) {
  const made = toN8nWorkflow({ name: use, use, when, with: {} });
  const node = made?.workflow.nodes.find(({ name }) => name === 'Is it for this recipe?');
  const { conditions } = filter.parse(node?.parameters).conditions;
  return conditions.find((one) => one.id === id);
}

/** As the Filter node reads `/pattern/flags`. */
function fits(text: string, written = ''): boolean {
  const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(written) ?? [];
  return new RegExp(pattern, flags).test(text);
}

describe('Is it for this recipe?', () => {
  it('leaves a title that the event does not hold to the report, where one is read', () => {
    const when = { title: ['*sales*', 'HR?'] };
    const recap = find('slack-recap', when, 'title')?.rightValue;
    const alert = find('slack-alert', when, 'title')?.rightValue;
    for (const [title, byRecap, byAlert] of [
      ['Weekly Sales sync', true, true],
      ['HR1', true, true],
      ['HR12', false, false],
      ['', true, false],
    ] as const) {
      expect([title, fits(title, recap), fits(title, alert)]).toEqual([title, byRecap, byAlert]);
    }
  });

  it('takes the kinds that the service sends, or those that are named', () => {
    const alert = find('slack-alert', {}, 'event')?.rightValue;
    expect(fits('meeting.failed', alert) && fits('meeting.completed', alert)).toBe(true);
    expect(fits('effect.failed', alert)).toBe(false);
    expect(
      fits('meeting.updated', find('slack-recap', { event: 'meeting.updated' }, 'event')?.rightValue),
    ).toBe(true);
  });

  it('says that n8n is never told of the events of a worker', () => {
    const notesOf = (when: Readonly<Record<string, unknown>>) =>
      toN8nWorkflow({ name: 'a', use: 'slack-alert', when, with: {} })?.notes.filter((note) =>
        note.startsWith('Nobody sends n8n'),
      );
    expect(notesOf({})).toEqual([]);
    expect(notesOf({ event: ['meeting.failed', 'effect.failed'] })).toEqual([
      'Nobody sends n8n the events of a worker: of effect.failed it is never told. Set an error workflow for what goes wrong in n8n itself.',
    ]);
  });

  it('asks after the transcript of completed meetings, and of every kind when the recipe does', () => {
    expect(find('slack-alert', {}, 'transcript')?.leftValue).toBe(
      "={{ $json.event !== 'meeting.completed' || $json.is_transcript_empty === true }}",
    );
    expect(find('slack-recap', { isTranscriptEmpty: true }, 'transcript')?.leftValue).toBe(
      '={{ $json.is_transcript_empty === true }}',
    );
  });
});
