import { z } from 'zod';

import type { AppState } from './app-state.ts';
import { createChooser, type Chooser } from './content/chooser.ts';
import { contentLanguages, findContentLanguage } from './content/load-content.ts';
import { chooseScript, findScript } from './content/scripts.ts';
import { measureRecordingMs, PROCESSING_MS } from './lifecycle.ts';
import { defaultFailure } from './meeting-changes.ts';
import { sandboxUser, type Meeting } from './meetings.ts';
import type { Tag } from './tags.ts';

const language = z
  .string()
  .transform(findContentLanguage)
  .refine((found) => found !== undefined, { error: `must be one of ${contentLanguages.join(', ')}` });

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${String(min)} to ${String(max)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

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

/**
 * Adds finished meetings of the last days, from several sources, most of them with tags. Of four or more, one has failed
 * and one has an empty transcript. Some reports were opened, the newest was not. No events are sent, and no minutes are
 * used. The same plan at the same time makes the same meetings; only their ids differ without a seed of the sandbox.
 */
export function seedMeetings(app: AppState, plan: z.infer<typeof seedSchema>): Seeding {
  const choose = createChooser(`seed ${String(plan.seed)}`);
  const tags = addTags(app);
  const firstNumber = choose(1000);
  const times = chooseTimes(app.clock.now(), plan.days, plan.meetings, choose);
  const meetingIds = times.map((startMs, index) => {
    const number = firstNumber + Math.floor(index / plan.languages.length);
    const scriptId = chooseScript(number, plan.languages[index % plan.languages.length]);
    const held = makeHeldMeeting(app, { scriptId, startMs, tags, choose });
    const meeting: Meeting = { ...held, ...chooseEnd(held, index, times.length, choose) };
    app.meetings.put(meeting);
    return meeting.id;
  });
  return { meetingIds, tagIds: tags.map(({ id }) => id) };
}

/** Each with the templates of the meetings that it suits; without them it suits any. */
const tagSeeds: readonly {
  readonly name: string;
  readonly color: string;
  readonly suits?: readonly string[];
}[] = [
  { name: 'Customers', color: 'green', suits: ['sales-meeting', 'default-meeting'] },
  { name: 'Team', color: 'blue', suits: ['team-sync', 'project-sync'] },
  { name: 'Hiring', color: 'purple', suits: ['hr-interview'] },
  { name: 'Follow up', color: 'orange' },
];

interface SeededTag {
  readonly id: string;
  readonly suits: (templateName: string) => boolean;
}

/** Uses the tags of the workspace with these names, and adds the missing ones. */
function addTags({ tags, makeId }: Pick<AppState, 'tags' | 'makeId'>): readonly SeededTag[] {
  return tagSeeds.map(({ name, color, suits }) => {
    const known = tags.findByName(name);
    const tag: Tag = known ?? { id: makeId(), name, color };
    if (known === undefined) tags.put(tag);
    return { id: tag.id, suits: (templateName) => suits === undefined || suits.includes(templateName) };
  });
}

interface HeldFacts {
  readonly scriptId: string;
  readonly startMs: number;
  readonly tags: readonly SeededTag[];
  readonly choose: Chooser;
}

function makeHeldMeeting(app: AppState, { scriptId, startMs, tags, choose }: HeldFacts): Meeting {
  const { name, templateName = 'default-meeting' } = findScript(scriptId);
  const place = choosePlace(choose);
  const fitting = tags.filter(({ suits }) => choose(3) > 0 && suits(templateName));
  return {
    ...place,
    id: app.makeId(),
    title: name,
    authorId: sandboxUser.id,
    localDateTime: new Date(startMs).toISOString(),
    isScheduled: place.link !== undefined && choose(2) === 0,
    templates: [{ id: app.makeId(), templateName, edits: [] }],
    tagIds: fitting.map(({ id }) => id),
    status: 'processed',
    statusSinceMs: startMs + measureRecordingMs({ scriptId }) + PROCESSING_MS,
    isTranscriptEmpty: false,
    areMinutesUsed: true,
    scriptId,
  };
}

/** Fewer meetings are all ready. */
const MIN_MEETINGS_WITH_FAILURE = 4;

function chooseEnd(
  meeting: Meeting,
  index: number,
  count: number,
  choose: Chooser,
): Pick<Meeting, 'status' | 'isTranscriptEmpty' | 'failureReason'> {
  // Most older reports were opened; the newest was not.
  const isRead = choose(6) >= (3 * index >= 2 * count ? 4 : 1);
  const isOpened = isRead && index < count - 1;
  const ready = { status: isOpened ? 'processed' : 'new', isTranscriptEmpty: false } as const;
  if (count < MIN_MEETINGS_WITH_FAILURE) return ready;
  if (index === Math.floor(count / 3)) {
    return { status: 'failed', isTranscriptEmpty: true, failureReason: defaultFailure(meeting) };
  }
  return index === Math.floor((2 * count) / 3) ? { ...ready, isTranscriptEmpty: true } : ready;
}

/** `@` stands for a letter, `#` for a digit. Without a link: an uploaded file. */
const places: readonly Pick<Meeting, 'source' | 'link'>[] = [
  { source: 'gmeet', link: 'https://meet.google.com/@@@-@@@@-@@@' },
  { source: 'zoom', link: 'https://zoom.us/j/8#########' },
  { source: 'msteams', link: 'https://teams.microsoft.com/meet/4############' },
  { source: 'yandextelemost', link: 'https://telemost.yandex.ru/j/7#############' },
  { source: 'jitsi', link: 'https://meet.jit.si/@@@@@@@@@@@@' },
  { source: 'upload' },
];

const letters = 'abcdefghijkmnopqrstuvwxyz';

function choosePlace(choose: Chooser): Pick<Meeting, 'source' | 'link'> {
  const { source, link } = places[choose(places.length)] ?? { source: 'gmeet' };
  if (link === undefined) return { source };
  const filled = link.replaceAll(/[@#]/g, (sign) =>
    sign === '#' ? String(choose(10)) : letters.charAt(choose(letters.length)),
  );
  return { source, link: filled };
}

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 48 * HALF_HOUR_MS;
/** The first and the last half hour of a working day in which a meeting begins, UTC. */
const FIRST_START = 16;
const LAST_START = 33;

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
  const day = new Date(startMs).getUTCDay();
  const halfHour = (startMs % DAY_MS) / HALF_HOUR_MS;
  return day >= 1 && day <= 5 && halfHour >= FIRST_START && halfHour <= LAST_START;
}
