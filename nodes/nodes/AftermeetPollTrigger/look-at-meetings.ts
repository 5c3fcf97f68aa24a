import {
  asFields,
  asText,
  type MeetingPhase,
  readPhase,
  ServiceError,
  type ServiceErrorCode,
} from '@aftermeet/client/pure';

import type { Candidate } from './poll-candidates.ts';
import type { PollSource } from './poll-source.ts';
import type { Finding } from './settle-poll.ts';

/** How many states one poll asks for. */
export const mostQuestions = 50;

/** What the next meeting would be answered too. */
const general: ReadonlySet<ServiceErrorCode> = new Set([
  'unauthorized',
  'payment_required',
  'rate_limited',
  'redirected',
  'aborted',
]);
/** Faults of one meeting or of one moment. Every other one may be of all: so many of them end the questions early. */
const passing: ReadonlySet<ServiceErrorCode> = new Set([
  'timeout',
  'connection',
  'server',
  'unreadable',
  'bad_request',
]);
const refusalCost = mostQuestions / 10;
/** How many a first poll may leave open: they come late where they were over before it. */
const mostOpen = 3;

export interface Look {
  readonly findings: readonly Finding[];
  /** Those that could not be asked. */
  readonly unanswered: readonly Candidate[];
}

interface WholeLook extends Look {
  /** The first fault, where so little is known for it that the poll failed. */
  readonly fault: Error | undefined;
}

/**
 * Finds out how far each candidate is: from the search itself where that says so, else by asking. One that cannot be asked is left
 * to a later poll, so that it never holds up the others. `fault` is there when nothing is known of any, or, where `isFirst`, when
 * more than a few are missing.
 */
export async function lookAtMeetings(
  source: PollSource,
  candidates: readonly Candidate[],
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<WholeLook> {
  const findings: Finding[] = [];
  const unanswered: Candidate[] = [];
  const faults: Error[] = [];
  let left = mostQuestions;
  for (const candidate of candidates) {
    const told = readToldPhase(candidate);
    // Those behind may be told by the search.
    if (told === undefined && (left <= 0 || source.now() >= source.untilMs)) continue;
    const answer = told ?? (await askPhase(source, candidate));
    if (answer instanceof Error) {
      faults.push(answer);
      unanswered.push(candidate);
      left -= costOf(answer);
      continue;
    }
    findings.push({ candidate, phase: answer });
    if (told === undefined) left -= 1;
  }
  const isHopeless =
    findings.length === 0 || (isFirst && (faults.length > mostOpen || faults.some(isGeneral)));
  return { findings, unanswered, fault: isHopeless ? faults[0] : undefined };
}

/** Of a fault, in questions. */
function costOf(fault: Error): number {
  if (isGeneral(fault)) return mostQuestions;
  return fault instanceof ServiceError && passing.has(fault.code) ? 1 : refusalCost;
}

function isGeneral(fault: Error): boolean {
  return fault instanceof ServiceError && general.has(fault.code);
}

async function askPhase(source: PollSource, { meeting }: Candidate): Promise<MeetingPhase | Error> {
  try {
    return await source.askPhase(meeting.id);
  } catch (error) {
    if (!(error instanceof Error)) return new Error('The state could not be asked');
    // It may have been deleted since the search.
    return error instanceof ServiceError && error.code === 'not_found' ? 'unknown' : error;
  }
}

/** Search was seen to name the state, which the specification does not promise. */
function readToldPhase({ meeting }: Candidate): MeetingPhase | undefined {
  const word = asText(asFields(meeting.raw)?.['status']);
  const phase = word === undefined ? 'unknown' : readPhase(word);
  return phase === 'unknown' ? undefined : phase;
}
