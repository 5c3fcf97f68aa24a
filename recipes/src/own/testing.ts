// The public surface of `@aftermeet/recipes/testing`.
import type { Report } from '@aftermeet/client';
import { z } from 'zod';

import { DEFAULT_POLICY } from '../engine/limits/policy.ts';
import type { MeetingEvent } from '../engine/recipe.ts';
import { listSchemaProblems } from '../engine/schema-problems.ts';
import { buildDigest } from '../report/digest.ts';
import { createPeopleDirectory, knownPersonSchema } from '../report/people-directory.ts';
import type { OwnDestination, SendAnswer } from './define-destination.ts';
import type { OwnRecipe } from './define-recipe.ts';
import { readOwnDestination, toDestination } from './own-destination.ts';
import { readOwnRecipe } from './own-recipe.ts';

/** One effect of a recipe, as its destination would get it. */
interface RenderedEffect {
  /** `slack`, `email`, `notion` or `http`. */
  readonly destination: string;
  /** A channel, an address, a data source, a host. Members of Slack are named by a hash. */
  readonly target: string;
  /** 0; from 1 on it is a reply in the thread of the message before it. */
  readonly part: number;
  readonly message: unknown;
}

interface RenderSettings {
  /** The event; default: the meeting completed, at the endpoint `default`. */
  readonly event?: Partial<Pick<MeetingEvent, 'kind' | 'endpoint' | 'reason' | 'title'>>;
  /** `people` of `aftermeet.yaml`. */
  readonly people?: readonly z.input<typeof knownPersonSchema>[];
  /** `mail.internal_domains`; default: `example.com`. */
  readonly internalDomains?: readonly string[];
  /** Destinations of one's own, by the names that the recipe gives to `to`. Their settings are not needed. */
  readonly destinations?: Readonly<Record<string, OwnDestination>>;
}

/**
 * The effects of a recipe for a report, without sending them. Throws with the setting that is wrong, or with the cause that
 * an effect would fail with.
 */
export async function renderRecipe<Shape extends z.ZodRawShape>(
  recipe: OwnRecipe<Shape>,
  report: Report,
  options: Readonly<Record<string, unknown>> = {},
  { event = {}, people = [], internalDomains = ['example.com'], destinations = {} }: RenderSettings = {},
): Promise<readonly RenderedEffect[]> {
  const read = readOwnRecipe(recipe, recipe.name);
  if (!read.ok) throw new Error(`found ${read.found}; expected ${read.expected}`);
  const [problem] = read.recipe.check(options);
  if (problem !== undefined) {
    throw new Error(`${problem.setting}: found ${problem.found}; expected ${problem.expected}`);
  }
  const known = people.map((person) => knownPersonSchema.parse(person));
  const { input } = read.recipe.bind(options, { internalDomains, people: known, own: listOwn(destinations) });
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
  const digest =
    kind === 'meeting.failed'
      ? undefined
      : buildDigest(report, { withTranscript, people: createPeopleDirectory(known) });
  const made = await input.run(happened, digest);
  if (!made.ok) throw new Error(made.cause);
  return made.effects.map(({ target, part, rendered }) => ({ ...rendered, target, part }));
}

function listOwn(destinations: NonNullable<RenderSettings['destinations']>) {
  return Object.entries(destinations).map(([name, exported]) => {
    const read = readOwnDestination(exported, name);
    if (!read.ok) throw new Error(`found ${read.found}; expected ${read.expected}`);
    return { destination: toDestination(name, read), settings: undefined };
  });
}

/**
 * Calls `send` of a destination once, with a message and settings that its schemas check first. Throws with what is wrong with
 * them; what `send` throws is passed on.
 */
export async function sendMessage<Settings extends z.ZodRawShape, Message extends z.ZodType>(
  destination: OwnDestination<Settings, Message>,
  message: unknown,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<SendAnswer> {
  const read = readOwnDestination(destination, destination.name);
  if (!read.ok) throw new Error(`found ${read.found}; expected ${read.expected}`);
  const checked = (read.destination.settings ?? z.strictObject({})).safeParse(settings);
  const [problem] = checked.success ? [] : listSchemaProblems(checked.error, 'settings', [], settings);
  if (problem !== undefined) {
    throw new Error(`${problem.setting}: found ${problem.found}; expected ${problem.expected}`);
  }
  const taken = toDestination(destination.name, read).readMessage?.(message);
  if (taken?.ok !== true) {
    const { path = [], expected = '' } = taken ?? {};
    throw new Error(`${['message', ...path].join('.')}: expected ${expected}`);
  }
  const signal = AbortSignal.timeout(DEFAULT_POLICY.timeoutMs);
  const key = '0'.repeat(64);
  return await read.destination.send(taken.message, { settings: checked.data ?? {}, signal, key });
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
