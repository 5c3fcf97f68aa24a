import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { callFaults, createFaultPlan, type StatusFault } from '../../faults.ts';
import { createOptionStore } from '../../option-store.ts';
import { startListening, stopListening } from '../../web/listen.ts';
import { createEmulatorApp, type Emulator, type Intercept } from '../emulator.ts';
import { createReceivedLog } from '../received-log.ts';
import { createNotionApi, findRoute, notionTargets as targets } from './api.ts';
import { readTree } from './blocks.ts';
import {
  addDataSources,
  meetingsSource,
  tasksSource,
  type DataSourceSetting,
  type PropertySetting,
} from './data-sources.ts';
import { codeOfStatus, describeRefusal, refuse } from './errors.ts';
import {
  defaultOptions,
  errorFaultSchema,
  optionsSchema,
  type NotionFault,
  type NotionOptions,
} from './options.ts';
import { refuseHuge } from './request.ts';
import type { NotionBlockTree, NotionPage, NotionState } from './state.ts';
import { botUser, samplePeople, type NotionUser } from './users.ts';

export interface NotionEmulatorSettings {
  /** The id of the data source of meetings, a UUID. */
  readonly dataSourceId?: string;
  /** Its columns by name; exactly one is `title`. Default: a table of meetings. */
  readonly properties?: Readonly<Record<string, PropertySetting>>;
  /** Other data sources; default: one of tasks that relate to meetings. */
  readonly otherSources?: readonly DataSourceSetting[];
  /** The users besides the connection; default: three people of `example.com`. */
  readonly people?: readonly NotionUser[];
  /** The only token that is accepted; default: any. */
  readonly token?: string;
  /** The options at the start. */
  readonly options?: Partial<NotionOptions>;
  readonly intercept?: Intercept;
  /** Unix milliseconds; default: the system's clock. */
  readonly clock?: () => number;
  /** With a seed, faults with a probability hit the same calls in every run. */
  readonly seed?: number;
  /** How many pages it remembers; default 500. */
  readonly keeps?: number;
  /** Host names besides loopback that may open the control routes, and registered ones that the API is called by. */
  readonly allowedHosts?: readonly string[];
}

export interface NotionEmulator extends Emulator<NotionPage, NotionFault, NotionOptions> {
  readonly dataSourceId: string;
  /** The content of a page or block now. */
  readonly readBlocks: (id: string) => readonly NotionBlockTree[];
}

/**
 * A local Notion (the SDK's `baseUrl` is its `url`): pages and their blocks, data sources and users, with Notion's own
 * answers, checks and refusals.
 */
export function createNotionEmulator(settings: NotionEmulatorSettings = {}): NotionEmulator {
  const clock = settings.clock ?? Date.now;
  const { dataSourceId = meetingsSource.id, properties = meetingsSource.properties } = settings;
  const faults = createFaultPlan<NotionFault>(
    [
      { ...callFaults, targets },
      { schema: errorFaultSchema, kinds: ['error'], targets },
    ],
    settings.seed,
  );
  const options = createOptionStore(optionsSchema, { ...defaultOptions, ...settings.options });
  const state: NotionState = {
    log: createReceivedLog<NotionPage>(settings.keeps),
    pages: new Map(),
    blocks: new Map(),
    children: new Map(),
    sources: new Map(),
    users: [botUser, ...(settings.people ?? samplePeople)],
    makeId: randomUUID,
    clock,
  };
  const fill = (): void => {
    const meetings = { ...meetingsSource, id: dataSourceId, properties };
    addDataSources(state, [meetings, ...(settings.otherSources ?? [tasksSource(dataSourceId)])]);
  };
  fill();
  const reset = (): void => {
    const { log, pages, blocks, children, sources } = state;
    for (const part of [log, pages, blocks, children, sources]) part.clear();
    faults.reset();
    options.reset();
    fill();
  };
  /** The pages as they are now; a dropped page as it was created. */
  const received = (): readonly NotionPage[] =>
    state.log.list().map((page) => state.pages.get(page.id) ?? page);
  const app = createEmulatorApp({
    apiPath: '/v1',
    answerCall: createNotionApi({ state, faults, token: settings.token, getOptions: options.get }),
    answerUnreadable: (status) =>
      describeRefusal(status === 413 ? refuseHuge() : refuse('invalid_json'), randomUUID()),
    faults,
    targetOf: ({ method, path }) => findRoute(method, path)?.route.target,
    makeStatusBody: describeStatus,
    place: 'notion',
    controls: { faults, options, reset, received },
    intercept: settings.intercept,
    allowedHosts: settings.allowedHosts,
  });
  const server = createServer(app);
  return {
    dataSourceId,
    readBlocks: (id) => readTree(state, id),
    faults,
    options,
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received,
    reset,
    onReceived: state.log.onReceived,
    close: () => stopListening(server),
  };
}

/** Notion's body for a `status` fault. */
function describeStatus({ status, retry_after_seconds: seconds }: StatusFault): unknown {
  const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return describeRefusal(refuse(codeOfStatus(status), { status, ...wait }), randomUUID()).body;
}
