import { z } from 'zod';

import type { AppState } from './app-state.ts';
import { contentLanguages, findContentLanguage } from './content/load-content.ts';
import { chooseScript, findScript } from './content/scripts.ts';
import { wholeNumber } from './faults.ts';
import { findOrMakeTag } from './given-meeting.ts';
import { createSeededRandom } from './ids.ts';
import { measureRecordingMs, PROCESSING_MS } from './lifecycle.ts';
import { defaultFailure } from './meeting-changes.ts';
import { sandboxUser, UPLOAD_SOURCE, type Meeting } from './meetings.ts';

const language = z
  .string()
  .transform(findContentLanguage)
  .refine((found) => found !== undefined, { error: `must be one of ${contentLanguages.join(', ')}` });

export const seedSchema = z.strictObject({
  meetings: wholeNumber(1, 500).default(12),
  /** Codes, with or without a region; used in turn. */
  languages: z
    .array(language, { error: 'must be a list of language codes' })
    .min(1, { error: 'must name a language; leave it out for all' })
    .max(100)
    .transform((codes) => [...new Set(codes)])
    .default([...contentLanguages]),
  /** The same seed makes the same meetings. */
  seed: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).default(1),
  /** The meetings were held within so many days before now. */
  days: wholeNumber(1, 365).default(30),
});

/** The body of `POST /_sandbox/seed`, unchecked. */
export type SeedOptions = z.input<typeof seedSchema>;

export interface Seeding {
  /** In the order in which the meetings were held. */
  readonly meetingIds: readonly string[];
  /** All tags of seeded meetings. */
  readonly tagIds: readonly string[];
}

type Chooser = (count: number) => number;

/**
 * Adds finished meetings of the last days, from several sources, with tags that suit them. Of four or more, one has failed
 * and one has an empty transcript. Some reports were opened, the newest was not. No events are sent, and no minutes are
 * used. The same plan at the same time makes the same meetings; only their ids differ without a seed of the sandbox.
 */
export function seedMeetings(app: AppState, plan: z.infer<typeof seedSchema>): Seeding {
  const random = createSeededRandom(plan.seed);
  const choose: Chooser = (count) => Math.floor(random() * count);
  const tagIds = tagSeeds.map(({ name, color }) => findOrMakeTag(app, name, color));
  const firstNumber = choose(1000);
  const times = chooseTimes(app.clock.now(), plan.days, plan.meetings, choose);
  const meetingIds = times.map((startMs, index) => {
    const number = firstNumber + Math.floor(index / plan.languages.length);
    const scriptId = chooseScript(number, plan.languages[index % plan.languages.length]);
    const { name: title, templateName = 'default-meeting' } = findScript(scriptId);
    const source = sources[choose(sources.length)] ?? UPLOAD_SOURCE;
    const fitting = tagIds.filter((_id, at) => tagSeeds[at]?.suits.includes(templateName) === true);
    const meeting: Meeting = {
      id: app.makeId(),
      title,
      source,
      authorId: sandboxUser.id,
      localDateTime: new Date(startMs).toISOString(),
      isScheduled: false,
      templates: [{ id: app.makeId(), templateName, edits: [] }],
      tagIds: fitting,
      statusSinceMs: startMs + measureRecordingMs({ scriptId }) + PROCESSING_MS,
      areMinutesUsed: true,
      scriptId,
      ...chooseEnd(source, index, times.length, choose),
    };
    app.meetings.put(meeting);
    return meeting.id;
  });
  return { meetingIds, tagIds };
}

/** Each with the templates of the meetings that it suits. */
const tagSeeds: readonly {
  readonly name: string;
  readonly color: string;
  readonly suits: readonly string[];
}[] = [
  { name: 'Customers', color: 'green', suits: ['sales-meeting', 'default-meeting'] },
  { name: 'Team', color: 'blue', suits: ['team-sync', 'project-sync'] },
  { name: 'Hiring', color: 'purple', suits: ['hr-interview'] },
];

/** Fewer meetings are all ready. */
const MIN_MEETINGS_WITH_FAILURE = 4;

/** Most reports were opened; the newest was not. */
function chooseEnd(
  source: string,
  index: number,
  count: number,
  choose: Chooser,
): Pick<Meeting, 'status' | 'isTranscriptEmpty' | 'failureReason'> {
  const isOpened = choose(3) > 0 && index < count - 1;
  const hasFailures = count >= MIN_MEETINGS_WITH_FAILURE;
  if (hasFailures && index === Math.floor(count / 3)) {
    return { status: 'failed', isTranscriptEmpty: true, failureReason: defaultFailure({ source }) };
  }
  const isTranscriptEmpty = hasFailures && index === Math.floor((2 * count) / 3);
  return { status: isOpened ? 'processed' : 'new', isTranscriptEmpty };
}

const sources = ['gmeet', 'zoom', 'msteams', 'yandextelemost', 'jitsi', UPLOAD_SOURCE];

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;

/**
 * Starts of meetings, Unix milliseconds, soonest first: full and half hours of working days (8 to 17, Monday to Friday,
 * UTC) within the last `days` days, at least half an hour ago. Without such an hour, as on a Sunday for one day, any
 * hour is used. Two meetings begin together only when there are more meetings than half hours.
 */
function chooseTimes(nowMs: number, days: number, count: number, choose: Chooser): readonly number[] {
  const first = Math.ceil((nowMs - days * DAY_MS) / HALF_HOUR_MS);
  const last = Math.floor(nowMs / HALF_HOUR_MS) - 1;
  const all = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * HALF_HOUR_MS);
  const working = all.filter(isWorkingTime);
  const starts = working.length === 0 ? all : working;
  const chosen: number[] = [];
  let left: number[] = [];
  while (chosen.length < count) {
    if (left.length === 0) left = [...starts];
    chosen.push(...left.splice(choose(left.length), 1));
  }
  return chosen.toSorted((one, other) => one - other);
}

function isWorkingTime(startMs: number): boolean {
  const start = new Date(startMs);
  const hour = start.getUTCHours();
  return start.getUTCDay() >= 1 && start.getUTCDay() <= 5 && hour >= 8 && hour < 17;
}
