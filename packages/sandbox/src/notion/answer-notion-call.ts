import type { Answer, Call } from '../stand-ins/create-stand-in-app.ts';
import { checkCaller, type CallerRules } from './check-caller.ts';
import { describeRefusal } from './describe-refusal.ts';
import { notionErrors } from './notion-error-codes.ts';
import { describeCommit, describeErrorFault, type NotionFaultPlans } from './notion-faults.ts';
import type { NotionKnobs } from './notion-knobs.ts';
import { isRefusal, refuseNotionCall, type NotionRefusal } from './notion-refusal.ts';
import type { NotionWorld } from './notion-world.ts';
import { readRequest } from './read-request.ts';
import { findRoute, type FoundRoute } from './routes/find-route.ts';
import type { WriteTurns } from './take-turn.ts';

export interface NotionCallerParts extends Omit<CallerRules, 'knobs'> {
  readonly world: NotionWorld;
  readonly readKnobs: () => NotionKnobs;
  readonly faults: NotionFaultPlans;
  readonly turns: WriteTurns;
}

/** Plays Notion's API. */
export function createNotionCaller(parts: NotionCallerParts): (call: Call) => Promise<Answer> {
  return async (call) => {
    const requestId = parts.world.makeId();
    const found = findRoute(call.method, call.path);
    const outcome = found === undefined ? refuseAddress() : await playFaulty(parts, call, found);
    return isRefusal(outcome)
      ? describeRefusal(outcome, requestId)
      : {
          status: 200,
          headers: { 'x-notion-request-id': requestId },
          body: { ...outcome, request_id: requestId },
        };
  };
}

function refuseAddress(): NotionRefusal {
  const { status, message } = notionErrors.invalid_request_url;
  return refuseNotionCall(status, 'invalid_request_url', message);
}

/** A planned error takes the place of the answer: before anything is done, or after it. */
async function playFaulty(parts: NotionCallerParts, call: Call, found: FoundRoute): Promise<object> {
  const fault = parts.faults.errors.take(found.route.target);
  if (fault !== undefined && fault.is_applied !== true) return describeErrorFault(fault);
  const outcome = await play(parts, call, found);
  return fault === undefined || isRefusal(outcome)
    ? outcome
    : describeErrorFault(fault, describeCommit(found.route, outcome));
}

async function play(parts: NotionCallerParts, call: Call, found: FoundRoute): Promise<object> {
  const { world, readKnobs, turns } = parts;
  const refusal = checkCaller(call, found.route, { ...parts, knobs: readKnobs() });
  if (refusal !== undefined) return refusal;
  const request = await readRequest(call, found);
  if (isRefusal(request)) return request;
  const { route } = found;
  return route.writesTo === undefined
    ? route.play(world, request)
    : turns.take(route.writesTo(request), readKnobs(), () => route.play(world, request));
}
