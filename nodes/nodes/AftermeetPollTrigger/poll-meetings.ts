import {
  asFields,
  asText,
  type FoundMeeting,
  type MeetingPhase,
  readPhase,
  ServiceError,
  type ServiceErrorCode,
} from '@aftermeet/client/pure';
import { buildRequest, limits, operations } from '@aftermeet/contract';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { findMeetings } from '../Aftermeet/actions/meeting.ts';
import { asDataObject } from '../Aftermeet/actions/node-operation.ts';
import { connect } from '../Aftermeet/transport/connect.ts';
import { type FetchedReport, fetchReport } from '../AftermeetTrigger/fetch-report.ts';
import { passesFilters } from '../AftermeetTrigger/filters.ts';
import type { TriggerEvent } from '../AftermeetTrigger/read-delivery.ts';
import { makeTriggerItem } from '../AftermeetTrigger/receive-delivery.ts';
import {
  type Candidate,
  type PhaseAnswers,
  beginPolling,
  type Finding,
  type PollState,
  type PollWindow,
  readPollState,
  type SettledPoll,
  settlePoll,
  writePollState,
} from './poll-state.ts';
import type { PollOptions } from './properties.ts';

const DAY_MS = 86_400_000;

/** Where n8n keeps the text of the last polls. */
interface PollMemory {
  readonly read: () => unknown;
  readonly write: (text: string) => void;
}

/**
 * Finds the meetings that have become ready, or failed, since the polls before. Each comes once; the first poll emits none. What
 * is kept of them changes at the very end alone, so a fault in between loses nothing and doubles nothing: the next poll does it
 * again, but for asking those first that did not answer. Rejects with `ServiceError`.
 */
export async function pollMeetings(
  source: PollSource,
  memory: PollMemory,
  options: PollOptions,
): Promise<readonly INodeExecutionData[]> {
  const state = readPollState(memory.read());
  const { candidates, window } = await findCandidates(source, state, options);
  // The first poll tells what was there before: what it could not ask would be lost, or come late.
  const isFirst = state === undefined;
  const { findings, unanswered, fault } = await findPhases(source, candidates, { isFirst });
  const settle = (kept: PollState, look: PhaseAnswers): SettledPoll =>
    settlePoll(readPollState(memory.read()) ?? kept, look, window);
  if (fault !== undefined) {
    if (state !== undefined) memory.write(writePollState(settle(state, { findings: [], unanswered }).state));
    throw fault;
  }
  if (state === undefined) {
    if (readPollState(memory.read()) === undefined)
      memory.write(writePollState(beginPolling(candidates, { findings, unanswered }, window)));
    return [];
  }
  const { fresh } = settlePoll(state, { findings, unanswered }, window);
  const items = new Map<Finding, INodeExecutionData | undefined>();
  for (const finding of fresh) {
    // At least one, or a slow service would never get on.
    if (items.size > 0 && source.now() >= source.untilMs) break;
    items.set(finding, await makePollItem(source, finding, options));
  }
  const put = new Set(fresh.filter((finding) => !items.has(finding)));
  const settled = settle(state, { findings: findings.filter((finding) => !put.has(finding)), unanswered });
  memory.write(writePollState(settled.state));
  return settled.fresh.flatMap((finding) => items.get(finding) ?? []);
}

/** The newest meeting that is over, as an example for the author of the workflow; what is kept stays as it is. */
export async function findExample(
  source: PollSource,
  options: PollOptions,
): Promise<readonly INodeExecutionData[]> {
  const { candidates } = await findCandidates(source, undefined, options);
  const told = await findPhases(source, candidates.slice(0, mostExamples));
  if (told.fault !== undefined) throw told.fault;
  for (const finding of told.findings) {
    if (finding.phase !== 'ready' && finding.phase !== 'failed') continue;
    const item = await makePollItem(source, finding, options);
    if (item !== undefined) return [item];
  }
  return [];
}

const mostExamples = 20;

interface FoundCandidates {
  readonly candidates: readonly Candidate[];
  readonly window: PollWindow;
}

async function findCandidates(
  source: PollSource,
  state: PollState | undefined,
  { lookBackMs }: PollOptions,
): Promise<FoundCandidates> {
  const nowMs = source.now();
  const sinceMs = Math.max(state?.sinceMs ?? 0, nowMs - lookBackMs);
  const found: FoundMeeting[] = [];
  // A day more, for days are of some time zone.
  for await (const meeting of source.search(new Date(sinceMs - DAY_MS).toISOString().slice(0, 10))) {
    found.push(meeting);
  }
  const window = { sinceMs, nowMs, found: new Set(found.map(keyOf)) };
  return { candidates: listCandidates(found, state, sinceMs, nowMs), window };
}

/** How many states one poll asks for. */
export const MAX_STATUS_REQUESTS = 50;

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

const refusalCost = MAX_STATUS_REQUESTS / 10;

/** How many a first poll may leave open: they come late where they were over before it. */
const mostOpen = 3;

interface PhaseLookup extends PhaseAnswers {
  /** The first fault, where so little is known for it that the poll failed. */
  readonly fault: Error | undefined;
}

/**
 * Finds out how far each candidate is: from the search itself where that says so, else by asking. One that cannot be asked is left
 * to a later poll, so that it never holds up the others. `fault` is there when nothing is known of any, or, where `isFirst`, when
 * more than a few are missing.
 */
export async function findPhases(
  source: PollSource,
  candidates: readonly Candidate[],
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<PhaseLookup> {
  const findings: Finding[] = [];
  const unanswered: Candidate[] = [];
  const faults: Error[] = [];
  let left = MAX_STATUS_REQUESTS;
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
  if (isGeneral(fault)) return MAX_STATUS_REQUESTS;
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

/** Clocks differ. */
const SLACK_MS = 10 * 60_000;

/**
 * The found meetings that have begun and are not settled, in the order of being asked: those that never were first, newest
 * before, then those that waited longest, and at last those that had failed, in turn as well. So none is forgotten, however few
 * are asked at a time. Pure.
 */
function listCandidates(
  found: readonly FoundMeeting[],
  state: PollState | undefined,
  sinceMs: number,
  nowMs: number,
): readonly Candidate[] {
  const turns = new Map(
    [...(state?.waiting ?? []), ...(state?.failed ?? [])].map((key, turn) => [key, turn]),
  );
  const turnOf = ({ key }: Candidate): number => turns.get(key) ?? -1;
  const known = new Map(found.map((meeting) => [keyOf(meeting), meeting]));
  return [...known]
    .map(([key, meeting]) => ({ key, meeting, startMs: startOf(meeting) }))
    .filter(({ startMs }) => startMs === undefined || (startMs >= sinceMs && startMs <= nowMs + SLACK_MS))
    .filter(({ key }) => state?.settled.has(key) !== true || state.failed.has(key))
    .toSorted((one, other) => turnOf(one) - turnOf(other) || (other.startMs ?? 0) - (one.startMs ?? 0));
}

/** Id and start: all meetings of a series have one id (observed). */
function keyOf(meeting: FoundMeeting): string {
  return `${meeting.id}@${startOf(meeting) ?? ''}`;
}

function startOf({ startedAt }: FoundMeeting): number | undefined {
  const ms = Date.parse(startedAt ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** What a poll asks the service. Each rejects with `ServiceError`, but for the report. */
export interface PollSource {
  /** Every meeting from this day on (`YYYY-MM-DD`), of all pages. */
  readonly search: (dateFrom: string) => AsyncIterable<FoundMeeting>;
  readonly askPhase: (meetingId: string) => Promise<MeetingPhase>;
  readonly fetchReport: (meetingId: string) => Promise<FetchedReport>;
  /** Where the report of a meeting is fetched. */
  readonly reportUrl: (meetingId: string) => string;
  /** The clock, Unix milliseconds. */
  readonly now: () => number;
  /** When to stop asking, on that clock; what was not asked by then is the next poll's. */
  readonly untilMs: number;
}

const REPORT_WITHIN_MS = 30_000;

/** As n8n has it where it does not say. */
const DEFAULT_BUDGET_MS = 300_000;

/** The service, with the node's credential. Throws `ServiceError` for an address in it that is none. */
export async function openPollSource(context: IPollFunctions): Promise<PollSource> {
  const { connection, recordings } = await connect(context);
  // An older n8n does not have it.
  const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET_MS;
  return {
    search: (dateFrom) => findMeetings(context, { dateFrom, perPage: limits.searchPageSize }),
    askPhase: async (meetingId) => (await recordings.status(meetingId)).phase,
    fetchReport: (meetingId) => fetchReport(context, meetingId, { withinMs: REPORT_WITHIN_MS }),
    reportUrl: (meetingId) => {
      const request = buildRequest(operations.reports.get, { meetingId });
      if (!request.ok) return connection.baseUrl;
      const url = new URL(connection.baseUrl + request.path);
      for (const [name, value] of request.query) url.searchParams.append(name, value);
      return url.href;
    },
    now: Date.now,
    untilMs: Date.now() + budgetMs / 2,
  };
}

/** The item of a meeting that is over, or undefined where the filters leave it out; with its report where that is wanted. */
async function makePollItem(
  source: PollSource,
  finding: Finding,
  { filters, fetchesReport }: PollOptions,
): Promise<INodeExecutionData | undefined> {
  const { meeting } = finding.candidate;
  const event = describeEvent(source, finding);
  const known = { source: meeting.source };
  if (!passesFilters(event, filters, known)) return undefined;
  if (!fetchesReport || finding.phase !== 'ready') return makeTriggerItem(event, null);
  const fetched: FetchedReport = await source.fetchReport(meeting.id);
  if (!fetched.ok) return makeTriggerItem(event, null, fetched);
  const { facts } = fetched;
  if (!passesFilters(event, filters, { ...facts, source: facts.source ?? meeting.source })) return undefined;
  return makeTriggerItem({ ...event, is_transcript_empty: facts.isTranscriptEmpty ?? null }, null, fetched);
}

function describeEvent(source: PollSource, { candidate, phase }: Finding): TriggerEvent {
  const { meeting } = candidate;
  return {
    event: phase === 'failed' ? 'meeting.failed' : 'meeting.completed',
    meeting_id: meeting.id,
    // When it was found: the service does not say when it happened.
    timestamp: new Date(source.now()).toISOString(),
    title: meeting.title,
    is_transcript_empty: null,
    report_url: phase === 'failed' ? null : source.reportUrl(meeting.id),
    reason: null,
    delivery_id: null,
    data: asDataObject(meeting.raw) ?? null,
  };
}
