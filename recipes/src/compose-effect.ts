import { createHash } from 'node:crypto';

import type { TakenJob } from '@aftermeet/queue';

import { writeAlert } from './alert-text.ts';
import { askService } from './ask-service.ts';
import { deriveSubjectKey } from './effect-key.ts';
import type { Ending } from './ending.ts';
import type { Subject } from './ledger/ledger.ts';
import type { PeriodSource } from './period-source.ts';
import { readDigest, type ReadingTools } from './read-digest.ts';
import type { BoundRecipe, Rendered } from './recipe.ts';

export interface ComposingTools extends ReadingTools {
  readonly workspace: string;
  readonly periods: PeriodSource;
}

/** What is to be sent, or what becomes of the effect without it. */
export type Composition =
  | {
      readonly kind: 'composed';
      readonly rendered: Rendered;
      /** Absent: it stands alone, nothing that was sent before is changed by it. */
      readonly subject?: Subject;
    }
  | Ending;

/** Makes what an effect sends: from the report, from the event alone, or from the meetings of a period. */
export async function composeEffect(
  { data }: Pick<TakenJob<'effect'>, 'data'>,
  { name, subject, prebuilt }: BoundRecipe,
  tools: ComposingTools,
): Promise<Composition> {
  const { event, target, part } = data;
  if (subject.from === 'event') return { kind: 'composed', rendered: subject.render(writeAlert(event)) };
  if (subject.from === 'period') {
    const period = { fromMs: Date.parse(event.since ?? ''), toMs: Date.parse(event.occurrence) };
    const asked = await askService(() => tools.periods.read(period), tools);
    if (asked.kind !== 'answer') return asked;
    if (asked.value.length === 0) return { kind: 'skipped', cause: 'there was no meeting to tell of' };
    return { kind: 'composed', rendered: subject.render(asked.value, period) };
  }
  const reading = await readDigest(event, tools);
  if (reading.kind !== 'digest') return reading;
  const { digest } = reading;
  if (digest.isTranscriptEmpty && prebuilt.transcript === 'present') {
    return { kind: 'skipped', cause: 'the transcript of this meeting is empty' };
  }
  const rendered = subject.render(digest);
  const { workspace } = tools;
  const { kind: eventKind, meetingId } = event;
  return {
    kind: 'composed',
    rendered,
    subject: {
      key: deriveSubjectKey({ workspace, recipe: name, eventKind, meetingId, target, part }),
      edition: digest.startedAt ?? '',
      contentHash: createHash('sha256').update(JSON.stringify(rendered)).digest('hex'),
    },
  };
}
