import { randomUUID } from 'node:crypto';

import { callFaults, createFaultPlan, type StatusFault } from '../../faults.ts';
import { createOptionStore } from '../../option-store.ts';
import { createEmulatorServer, type ApiEmulatorSettings, type Emulator } from '../emulator.ts';
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

export interface NotionEmulatorSettings extends ApiEmulatorSettings {
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
  const server = createEmulatorServer({
    apiPath: '/v1',
    answerCall: createNotionApi({ state, faults, token: settings.token, getOptions: options.get }),
    answerUnreadable: (status) =>
      describeRefusal(status === 413 ? refuseHuge() : refuse('invalid_json'), randomUUID()),
    faults,
    targetOf: ({ method, path }) => findRoute(method, path)?.route.target,
    makeStatusBody: describeStatus,
    place: 'notion',
    controls: { faults, options, reset, received },
    settings,
  });
  return {
    dataSourceId,
    readBlocks: (id) => readTree(state, id),
    faults,
    options,
    ...server,
    received,
    reset,
    onReceived: state.log.onReceived,
  };
}

/** Notion's body for a `status` fault. */
function describeStatus({ status, retry_after_seconds: seconds }: StatusFault): unknown {
  const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return describeRefusal(refuse(codeOfStatus(status), { status, ...wait }), randomUUID()).body;
}
