import type { FoundMeeting } from '@aftermeet/client/pure';
import type { INodeExecutionData } from 'n8n-workflow';

import { type Look, lookAtMeetings } from './look-at-meetings.ts';
import { type Candidate, keyOf, listCandidates } from './poll-candidates.ts';
import { makePollItem } from './poll-item.ts';
import type { PollOptions } from './poll-options.ts';
import type { PollSource } from './poll-source.ts';
import { type PollState, readPollState, writePollState } from './poll-state.ts';
import { beginPolling, type Finding, type PollWindow, type SettledPoll, settlePoll } from './settle-poll.ts';

const DAY_MS = 86_400_000;

/** Where n8n keeps the text of the last polls. */
export interface PollMemory {
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
  const { findings, unanswered, fault } = await lookAtMeetings(source, candidates, { isFirst });
  const settle = (kept: PollState, look: Look): SettledPoll =>
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

/** The newest meeting that is over, as an example for somebody who builds the workflow; what is kept stays as it is. */
export async function findExample(
  source: PollSource,
  options: PollOptions,
): Promise<readonly INodeExecutionData[]> {
  const { candidates } = await findCandidates(source, undefined, options);
  const told = await lookAtMeetings(source, candidates.slice(0, mostExamples));
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
