import { chooseScript } from '../../content/choose-script.ts';
import { findScript } from '../../content/find-script.ts';
import { createChooser, type Chooser } from '../../content/generator/create-chooser.ts';
import { guessFailure } from '../life/failure-reasons.ts';
import { measureRecordingMs, processingMs } from '../life/life-times.ts';
import type { Meeting } from '../meeting.ts';
import { sandboxUser } from '../sandbox-user.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { pickPlace } from './pick-place.ts';
import { pickTimes } from './pick-times.ts';
import type { SeedPlan } from './seed-options.ts';
import { seedTags, type SeededTag } from './seed-tags.ts';

export interface Seeding {
  /** In the order in which the meetings were held. */
  readonly meetingIds: readonly string[];
  /** All that seeded meetings can have. */
  readonly tagIds: readonly string[];
}

/** Fewer are all that they can be: ready. */
const fewestWithFailure = 4;

/**
 * Adds finished meetings of the last days, from several sources, most of them with tags; of four or more, one failed
 * and in one nobody spoke. Some reports were opened, the newest was not. Nobody is told: no deliveries, no minutes. The
 * same plan at the same time brings the same meetings; only ids differ where the sandbox has no seed.
 */
export function seedMeetings(world: SandboxWorld, plan: SeedPlan): Seeding {
  return world.together(() => addMeetings(world, plan));
}

function addMeetings(world: SandboxWorld, plan: SeedPlan): Seeding {
  const choose = createChooser(`seed ${String(plan.seed)}`);
  const tags = seedTags(world);
  const firstNumber = choose(1000);
  const times = pickTimes(world.clock.now(), plan.days, plan.meetings, choose);
  const meetingIds = times.map((startMs, index) => {
    const language = plan.languages[index % plan.languages.length];
    const number = firstNumber + Math.floor(index / plan.languages.length);
    const scriptId = chooseScript({ language, number });
    const held = makeHeldMeeting(world, { scriptId, startMs, tags, choose });
    const meeting: Meeting = { ...held, ...chooseEnd(held, index, times.length, choose) };
    world.meetings.put(meeting);
    return meeting.id;
  });
  return { meetingIds, tagIds: tags.map(({ id }) => id) };
}

interface HeldFacts {
  readonly scriptId: string;
  readonly startMs: number;
  readonly tags: readonly SeededTag[];
  readonly choose: Chooser;
}

function makeHeldMeeting(world: SandboxWorld, { scriptId, startMs, tags, choose }: HeldFacts): Meeting {
  const { name, templateName = 'default-meeting' } = findScript(scriptId);
  const place = pickPlace(choose);
  const fitting = tags.filter(({ suits }) => choose(3) > 0 && suits(templateName));
  const meeting: Meeting = {
    ...place,
    id: world.makeId(),
    title: name,
    authorId: sandboxUser.id,
    localDateTime: new Date(startMs).toISOString(),
    isScheduled: place.link !== undefined && choose(2) === 0,
    templates: [{ id: world.makeId(), templateName, edits: [] }],
    tagIds: fitting.map(({ id }) => id),
    status: 'processed',
    statusSinceMs: startMs,
    isTranscriptEmpty: false,
    areMinutesUsed: true,
    scriptId,
  };
  return { ...meeting, statusSinceMs: startMs + measureRecordingMs(meeting) + processingMs };
}

function chooseEnd(
  { link }: Meeting,
  index: number,
  count: number,
  choose: Chooser,
): Pick<Meeting, 'status' | 'isTranscriptEmpty' | 'failureReason'> {
  // Most of what is older has been read, the newest by nobody yet.
  const isRead = choose(6) >= (3 * index >= 2 * count ? 4 : 1);
  const isOpened = isRead && index < count - 1;
  const ready = { status: isOpened ? 'processed' : 'new', isTranscriptEmpty: false } as const;
  if (count < fewestWithFailure) return ready;
  if (index === Math.floor(count / 3)) {
    return { status: 'failed', isTranscriptEmpty: true, failureReason: guessFailure(link === undefined) };
  }
  return index === Math.floor((2 * count) / 3) ? { ...ready, isTranscriptEmpty: true } : ready;
}
