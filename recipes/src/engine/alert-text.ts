import type { EffectJob } from '@aftermeet/queue';

import { cutText, cleanLine, cleanText } from '../report/clean-text.ts';
import { formatWhen } from '../report/format-when.ts';

/** What an alert says, before any destination shapes it. */
export interface AlertText {
  readonly headline: string;
  readonly explanation: string;
  /** The service's own words, or the cause of a failure; one or more lines. */
  readonly reason?: string;
  /** What to do next. */
  readonly advice?: string;
  /** Ids, for the operator. */
  readonly ids: string;
  /** Absent: it is about no single meeting. */
  readonly meetingId?: string;
}

/** What an alert says of a kind of event. */
type AlertWords = Pick<AlertText, 'headline' | 'explanation' | 'advice'>;

/** Events of our own that alert recipes take, beside those of the service. */
export const ownAlertKinds = [
  'effect.failed',
  'effect.held',
  'service.key_refused',
  'destination.paused',
] as const;

/** What went wrong, from its event alone. Pure and bounded. */
export function writeAlert(event: EffectJob['event']): AlertText {
  const reason = cutText(cleanText((event.reason ?? '').slice(0, 4000)).trim(), 1000);
  return {
    ...findWords(event),
    ...(reason === '' ? {} : { reason }),
    ids: listIds(event),
    ...(event.meetingId === '' ? {} : { meetingId: readLine(event.meetingId, 200) }),
  };
}

function findWords(event: EffectJob['event']): AlertWords {
  const title = readLine(event.title, 200) || 'Untitled meeting';
  const recipe = readLine(event.recipe, 100);
  switch (event.kind) {
    case 'meeting.completed':
      return {
        headline: `Nothing was transcribed: ${title}`,
        explanation: 'The meeting was processed, but its transcript is empty, so no recap was sent.',
        advice:
          'Check that the recording has sound, that the bot was let in, and that the language is the one that was spoken.',
      };
    case 'effect.failed':
      return {
        // A mail of many meetings is known by its recipe.
        headline: `Not delivered: ${event.meetingId === '' ? recipe : title}`,
        explanation: `The recipe ${recipe} could not deliver this, and does not try again by itself.`,
        advice:
          'Mend the cause, then run "aftermeet effects retry". "aftermeet effects list" shows everything that failed.',
      };
    case 'effect.held':
      return {
        headline: `Waits for approval: ${title}`,
        explanation: `The recipe ${recipe} has made a message that a person approves before it is sent.`,
        advice:
          'Read it and approve or discard it: in the console under Approvals, or with "aftermeet approvals list".',
      };
    case 'destination.paused':
      return {
        headline: `Nothing is sent by ${recipe}`,
        explanation:
          'The destination refuses our token or login, so its messages wait. Nothing is lost: they are sent, the oldest first, as soon as it takes them again.',
        advice:
          'Repair the token or login ("aftermeet doctor" checks it). If a variable changed, start the worker again.',
      };
    case 'service.key_refused':
      return {
        headline: 'The service refuses the API key',
        explanation:
          'No report can be fetched, so recaps wait. Nothing is lost: they are sent as soon as the key works.',
        advice: 'Set a key that is valid (SERVICE_API_KEY) and start the worker again.',
      };
    default:
      return {
        headline: `Meeting failed: ${title}`,
        explanation: 'The service could not process this meeting, so there is no report.',
        advice:
          'See in the service what became of the recording. A recording of your own can be uploaded as a new meeting.',
      };
  }
}

/** An event that is about no single meeting names none. */
function listIds({ kind, meetingId, recipe, occurrence, receivedAt }: EffectJob['event']): string {
  const ids = [
    ['meeting', readLine(meetingId, 100)],
    ['recipe', readLine(recipe, 100)],
  ].filter(([, id]) => id !== '');
  // The occurrence of our own events is no moment: it is the hour of a failure, or the name of an episode.
  const isOwn = ownAlertKinds.some((own) => own === kind);
  const when = (isOwn ? undefined : formatWhen(occurrence)) ?? formatWhen(receivedAt);
  return [...ids.map((words) => words.join(' ')), when].filter((part) => part !== undefined).join(' · ');
}

function readLine(text: string | undefined, maxLength: number): string {
  return cutText(cleanLine((text ?? '').slice(0, 5 * maxLength)), maxLength);
}
