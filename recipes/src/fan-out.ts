import type { JobOutcome, Log, TakenJob } from '@aftermeet/queue';

import type { MeetingIndex, SeenMeeting } from './meetings/meeting-index.ts';
import { planEffects, type PlanningRules } from './plan-effects.ts';
import { queueEffects, type QueueingTools } from './queue-effects.ts';
import type { MeetingEvent } from './recipe.ts';

export interface FanOutTools extends QueueingTools {
  readonly rules: PlanningRules;
  readonly meetings: Pick<MeetingIndex, 'note'>;
  readonly log: Log;
}

/** Makes of a stored delivery one job for each of its effects. Again is harmless: their ids are their keys. */
export async function fanOut(job: TakenJob<'event'>, tools: FanOutTools): Promise<JobOutcome<'event'>> {
  const { rules, meetings, log, clock } = tools;
  const plan = planEffects(job.data, rules, job.id);
  if (!plan.ok) return { kind: 'failed', cause: plan.cause };
  const { event, effects } = plan;
  const { meetingId, kind } = event;
  if (plan.isTooOld) {
    log.warn({ meetingId, kind }, 'this event is older than what is remembered: nothing is sent for it');
    return { kind: 'done' };
  }
  // A hint is only that: its meeting is known from now on, and nothing is known to have completed.
  const noted =
    job.data.isUnsigned === true
      ? { kind: 'hint', occurrence: job.data.receivedAt }
      : { kind, occurrence: event.occurrence };
  const known = await meetings.note({ meetingId, ...noted, nowMs: clock() });
  if (isOvertaken(event, known)) {
    log.info(
      { meetingId, kind },
      'this failure is older than a completion that came before it: nothing is sent',
    );
    return { kind: 'done' };
  }
  log.debug({ meetingId, kind, effects: effects.length }, 'planned');
  if (effects.length > 0) await queueEffects(effects, tools);
  return { kind: 'done' };
}

/** Deliveries can overtake each other: of a meeting that has completed since, no failure is told any more. */
export function isOvertaken({ kind, occurrence }: MeetingEvent, known: SeenMeeting | undefined): boolean {
  if (kind !== 'meeting.failed' || known?.completedAt === undefined) return false;
  return Date.parse(known.completedAt) > Date.parse(occurrence);
}
