import type { FaultPlan } from '../../faults.ts';
import type { Answer, Call } from '../emulator.ts';
import { blockRoutes } from './blocks.ts';
import { dataSourceRoutes } from './data-sources.ts';
import { describeRefusal, isRefusal, refuse, refuseBody, type NotionRefusal } from './errors.ts';
import type { NotionErrorFault, NotionFault, NotionOptions } from './options.ts';
import { pageRoutes } from './pages.ts';
import { parseRequest } from './request.ts';
import { paginate, type FoundRoute, type NotionRoute } from './route.ts';
import type { NotionState } from './state.ts';
import { describeUser } from './users.ts';

/** https://developers.notion.com/reference/get-users */
const userRoute: NotionRoute = {
  target: 'users.list',
  method: 'GET',
  path: '/v1/users',
  needs: 'read_users',
  query: ['start_cursor', 'page_size'],
  handle: ({ users }, { query }) =>
    paginate(users, query, { type: 'user', describe: describeUser, idOf: ({ id }) => id }),
};

/** Every emulated method. */
const routes = [...pageRoutes, ...blockRoutes, ...dataSourceRoutes, userRoute];

/** What a fault can be on. */
export const notionTargets = routes.map(({ target }) => target);

/** The route of a call; undefined if Notion or the emulator has none. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    const names = route.path.split('/');
    const isMatch = names.every(
      (name, index) => name === segments[index] || (name.startsWith(':') && segments[index] !== ''),
    );
    if (route.method !== method || names.length !== segments.length || !isMatch) continue;
    const at = names.findIndex((name) => name.startsWith(':'));
    return { route, idName: names[at]?.slice(1) ?? '', idText: segments[at] };
  }
  return undefined;
}

export interface NotionApiParts {
  readonly state: NotionState;
  readonly faults: FaultPlan<NotionFault>;
  /** The only token that is accepted; undefined: any. */
  readonly token: string | undefined;
  readonly getOptions: () => NotionOptions;
}

/** Answers calls of Notion's API. */
export function createNotionApi(parts: NotionApiParts): (call: Call) => Promise<Answer> {
  const { state, faults } = parts;

  async function handle(call: Call, found: FoundRoute): Promise<object> {
    const { route } = found;
    const refusal = checkCaller(call, route, parts);
    if (refusal !== undefined) return refusal;
    const request = await parseRequest(call, found);
    if (isRefusal(request)) return request;
    return route.handle(state, request);
  }

  /** An `error` fault replaces the outcome, before or after the call is handled. */
  async function handleWithFaults(call: Call, found: FoundRoute): Promise<object> {
    const fault = faults.take(found.route.target, ['error']);
    if (fault !== undefined && fault.is_applied !== true) return refuseByFault(fault);
    const outcome = await handle(call, found);
    return fault === undefined || isRefusal(outcome)
      ? outcome
      : refuseByFault(fault, describeCommit(found.route, outcome));
  }

  return async (call) => {
    const requestId = state.makeId();
    const found = findRoute(call.method, call.path);
    const outcome = found === undefined ? refuseAddress() : await handleWithFaults(call, found);
    if (isRefusal(outcome)) return describeRefusal(outcome, requestId);
    const headers = { 'x-notion-request-id': requestId };
    return { status: 200, headers, body: { ...outcome, request_id: requestId } };
  };
}

function refuseAddress(): NotionRefusal {
  const message = `The emulator has no such method; it has ${notionTargets.join(', ')}.`;
  return refuse('invalid_request_url', { message });
}

const oldestVersion = '2025-09-03';

/** Checks token, version and capability, in Notion's order. */
function checkCaller(
  call: Call,
  { needs }: NotionRoute,
  { token: expected, getOptions }: NotionApiParts,
): NotionRefusal | undefined {
  const options = getOptions();
  const token = /^Bearer (\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
  const isWrong = token === undefined || (expected !== undefined && token !== expected);
  if (isWrong || options.token === 'revoked') return refuse('unauthorized');
  const version = call.header('notion-version');
  if (version === undefined) return refuse('missing_version');
  if (!/^\d{4}-\d\d-\d\d$/.test(version) || version < oldestVersion) {
    const rule = `this emulator has ${oldestVersion} and later.`;
    return refuseBody(`Notion-Version header failed validation: ${rule}`);
  }
  return options.capabilities.includes(needs) ? undefined : refuse('restricted_resource');
}

/** The refusal of an `error` fault. `committed` is what Notion tells of a call that was done all the same. */
function refuseByFault(fault: NotionErrorFault, committed: object = {}): NotionRefusal {
  const { code, rate_limit_reason: reason, retry_after_seconds: seconds, is_told: isTold = true } = fault;
  const data = {
    ...(reason === undefined ? {} : { rate_limit_reason: reason }),
    ...(isTold ? committed : {}),
  };
  return refuse(code, {
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(Object.keys(data).length === 0 ? {} : { additionalData: data }),
  });
}

/**
 * What Notion tells of a write that was saved: the ids that it created
 * (https://developers.notion.com/reference/request-limits). The text of the guidance is not documented.
 */
function describeCommit({ method, needs }: NotionRoute, outcome: object): object {
  if (needs.startsWith('read_')) return {};
  const guidance = { retry_guidance: 'The write was saved. Do not repeat it.' };
  if ('results' in outcome && Array.isArray(outcome.results)) {
    const ids = outcome.results.map((item: unknown) =>
      typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined,
    );
    return { ...guidance, committed_child_ids: ids };
  }
  return 'id' in outcome && method === 'POST' ? { ...guidance, committed_resource_id: outcome.id } : guidance;
}
