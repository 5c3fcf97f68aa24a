import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';
import { createCallPace } from '../stand-ins/call-pace.ts';
import { createStandInApp, type Answer } from '../stand-ins/create-stand-in-app.ts';
import type { Intercept } from '../stand-ins/interception.ts';
import { createKnobBox, type KnobBox } from '../stand-ins/knob-box.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { startListening, stopListening } from '../web/start-listening.ts';
import { createNotionCaller } from './answer-notion-call.ts';
import { readTree } from './blocks/describe-block.ts';
import type { NotionBlockTree } from './blocks/notion-block.ts';
import { createNotionWorld, resetNotionWorld } from './create-notion-world.ts';
import { describeRefusal } from './describe-refusal.ts';
import { notionErrors } from './notion-error-codes.ts';
import { createNotionFaultPlans, describeNotionStatus, type NotionErrorFault } from './notion-faults.ts';
import { notionKnobsSchema, usualNotionKnobs, type NotionKnobs } from './notion-knobs.ts';
import { refuseNotionCall } from './notion-refusal.ts';
import { defaultPeople, type NotionUser } from './notion-users.ts';
import type { NotionPage } from './pages/notion-page.ts';
import { mountNotionUploads } from './receive-notion-upload.ts';
import { renderNotionPage } from './render-notion-page.ts';
import { findRoute } from './routes/find-route.ts';
import { notionRoutes } from './routes/list-routes.ts';
import { refuseHuge } from './schema/check-size.ts';
import {
  describeTasksSetup,
  meetingsSetup,
  type DataSourceSetup,
  type PropertySetup,
} from './sources/first-sources.ts';
import { createWriteTurns } from './take-turn.ts';

export interface NotionStandInOptions {
  /** The id of the data source of meetings, a UUID. */
  readonly dataSourceId?: string;
  /** Its columns by name; exactly one is `title`. Default: a table of meetings. */
  readonly properties?: Readonly<Record<string, PropertySetup>>;
  /** Other data sources; default: one of tasks, that points into the one of meetings. */
  readonly otherSources?: readonly DataSourceSetup[];
  /** Who is in the workspace besides the connection; default three people of `example.com`. */
  readonly people?: readonly NotionUser[];
  /** The one token that is taken; default: any. */
  readonly token?: string;
  /** How Notion is played at the start; see `PATCH /_sandbox/knobs`. */
  readonly knobs?: Partial<NotionKnobs>;
  readonly intercept?: Intercept;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** With a seed, faults by chance hit the same calls in every run. */
  readonly seed?: number;
  /** Host names besides this machine's own that may open the page. */
  readonly allowedHosts?: readonly string[];
}

/** A Notion stand-in also tells what it holds, and can be told to fail. */
export interface NotionStandIn extends StandIn<NotionPage> {
  readonly dataSourceId: string;
  /** What is in a page or a block now, with everything in it. */
  readonly readBlocks: (id: string) => readonly NotionBlockTree[];
  readonly faults: FaultPlan<CallFault>;
  /** Errors of Notion's own, as `{kind: 'error', code: 'service_unavailable', is_applied: true}`. */
  readonly errorFaults: FaultPlan<NotionErrorFault>;
  readonly knobs: KnobBox<NotionKnobs>;
}

/**
 * A local Notion (the SDK's `baseUrl` is its `url`): pages, blocks, data sources, databases, people, the search and
 * files, with Notion's own answers, checks and refusals.
 */
export function createNotionStandIn(options: NotionStandInOptions = {}): NotionStandIn {
  const clock = options.clock ?? Date.now;
  const dataSourceId = options.dataSourceId ?? meetingsSetup.id;
  const meetings = {
    ...meetingsSetup,
    id: dataSourceId,
    properties: options.properties ?? meetingsSetup.properties,
  };
  const sources = [meetings, ...(options.otherSources ?? [describeTasksSetup(dataSourceId)])];
  const knobs = createKnobBox(notionKnobsSchema, { ...usualNotionKnobs, ...options.knobs });
  const faults = createNotionFaultPlans(
    notionRoutes.map(({ target }) => target),
    options.seed,
  );
  const world = createNotionWorld({
    people: options.people ?? defaultPeople,
    sources,
    clock,
    makeId: randomUUID,
    readQueryLagMs: () => knobs.read().query_lag_seconds * 1000,
  });
  const pace = createCallPace(clock);
  const reset = (): void => {
    resetNotionWorld(world, sources);
    for (const part of [pace, faults.calls, faults.errors]) part.clear();
    knobs.reset();
  };
  /** As they are now; a page that is forgotten, as it was made. */
  const received = (): readonly NotionPage[] =>
    world.log.list().map((page) => world.pages.get(page.id) ?? page);
  const app = createStandInApp({
    apiPath: '/v1',
    answerCall: createNotionCaller({
      world,
      faults,
      pace,
      token: options.token,
      readKnobs: knobs.read,
      turns: createWriteTurns(),
    }),
    answerUnreadable,
    callFaults: {
      plan: faults.calls,
      nameTarget: ({ method, path }) => findRoute(method, path)?.route.target,
      makeBody: (fault) => describeNotionStatus(fault, randomUUID()),
    },
    mountOther: mountNotionUploads,
    faults: [faults.calls, faults.errors],
    knobs,
    renderHome: () => renderNotionPage(world),
    listReceived: received,
    reset,
    intercept: options.intercept,
    allowedHosts: options.allowedHosts,
  });
  const server = createServer(app);
  return {
    dataSourceId,
    readBlocks: (id) => readTree(world, id),
    faults: faults.calls,
    errorFaults: faults.errors,
    knobs,
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received,
    reset,
    onReceived: world.log.onReceived,
    close: () => stopListening(server),
  };
}

function answerUnreadable(status: number): Answer {
  const { message } = notionErrors.invalid_json;
  const refusal = status === 413 ? refuseHuge() : refuseNotionCall(400, 'invalid_json', message);
  return describeRefusal(refusal, randomUUID());
}
