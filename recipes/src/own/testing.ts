// The public surface of `@aftermeet/recipes/testing`.
import type { Report } from '@aftermeet/client';
import type { z } from 'zod';

import type { MeetingEvent } from '../engine/recipe.ts';
import { buildDigest } from '../report/digest.ts';
import type { OwnRecipe } from './define-recipe.ts';
import { readOwnRecipe } from './own-recipe.ts';

/** One effect of a recipe, as its destination would get it. */
interface RenderedEffect {
  /** `slack`, `email`, `notion` or `http`. */
  readonly destination: string;
  /** A channel, an address, a data source, a host. Members of Slack are named by a hash. */
  readonly target: string;
  readonly message: unknown;
}

interface RenderSettings {
  /** The event; default: the meeting completed, at the endpoint `default`. */
  readonly event?: Partial<Pick<MeetingEvent, 'kind' | 'endpoint' | 'reason' | 'title'>>;
  /** `mail.internal_domains`; default: `example.com`. */
  readonly internalDomains?: readonly string[];
}

/**
 * The effects of a recipe for a report, without sending them. Throws with the setting that is wrong, or with the cause that
 * an effect would fail with.
 */
export async function renderRecipe<Shape extends z.ZodRawShape>(
  recipe: OwnRecipe<Shape>,
  report: Report,
  options: Readonly<Record<string, unknown>> = {},
  { event = {}, internalDomains = ['example.com'] }: RenderSettings = {},
): Promise<readonly RenderedEffect[]> {
  const read = readOwnRecipe(recipe, recipe.name);
  if (!read.ok) throw new Error(`found ${read.found}; expected ${read.expected}`);
  const [problem] = read.recipe.check(options);
  if (problem !== undefined) {
    throw new Error(`${problem.setting}: found ${problem.found}; expected ${problem.expected}`);
  }
  const { input } = read.recipe.bind(options, { internalDomains });
  if (input.from !== 'run') throw new Error('not a recipe of defineRecipe');
  const { kind = 'meeting.completed', endpoint = 'default', ...facts } = event;
  const { meetingId, title, startedAt = '2026-07-07T12:00:00Z' } = report;
  const happened = {
    kind,
    meetingId,
    title,
    occurrence: startedAt,
    endpoint,
    receivedAt: startedAt,
    ...facts,
  };
  const withTranscript = input.needsTranscript === true;
  const digest = kind === 'meeting.failed' ? undefined : buildDigest(report, { withTranscript });
  const made = await input.run(happened, digest);
  if (!made.ok) throw new Error(made.cause);
  return made.effects.map(({ target, rendered }) => ({ ...rendered, target }));
}

/** A report of half an hour with two participants, a decision and two tasks. */
export const sampleReport: Report = {
  meetingId: 'm_sample',
  title: 'Acme: renewal',
  startedAt: '2026-07-07T12:00:00Z',
  utcOffset: '+02:00',
  durationSeconds: 1800,
  source: 'zoom',
  isTranscriptEmpty: false,
  participants: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Cleo Diaz', email: 'cleo@acme.example' },
  ],
  speakers: [{ name: 'Ann Lee' }, { name: 'Cleo Diaz' }],
  summary: 'Acme stays **for a year** if the price stays under 11,000.',
  decisions: ['Offer the old price until Friday'],
  tasks: [
    { text: 'Send the offer', owner: 'Ann Lee', due: '2026-07-10', dueDate: '2026-07-10' },
    { text: 'Ask legal about the term', owner: 'Cleo Diaz' },
  ],
  keywords: [],
  tags: ['customer'],
  warnings: [],
  templates: [],
  chapters: [],
  transcript: [{ speaker: 'Cleo Diaz', text: 'We stay if the price stays.', startSeconds: 12 }],
  raw: undefined,
};
