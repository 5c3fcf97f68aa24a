import { createServer } from 'node:http';

import { createStandInApp, type Answer } from '../stand-ins/create-stand-in-app.ts';
import type { Intercept } from '../stand-ins/interception.ts';
import { createReceivedLog } from '../stand-ins/received-log.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { startListening, stopListening } from '../web/start-listening.ts';
import { createNotionCaller, type NotionWorld } from './answer-notion-call.ts';
import { defaultDataSourceId, defaultProperties } from './data-source.ts';
import type { NotionPage } from './notion-page.ts';
import type { PropertyType } from './property-types.ts';
import { renderNotionPage } from './render-notion-page.ts';

export interface NotionStandInOptions {
  /** The one data source's id, a UUID. */
  readonly dataSourceId?: string;
  /** Property types by name; exactly one is `title`. Default: a table of meetings. */
  readonly properties?: Readonly<Record<string, PropertyType>>;
  readonly intercept?: Intercept;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** Host names besides this machine's own that may open the page. */
  readonly allowedHosts?: readonly string[];
}

/** A Notion stand-in also tells the id of its data source. */
export interface NotionStandIn extends StandIn<NotionPage> {
  readonly dataSourceId: string;
}

/** A local Notion (the SDK's `baseUrl` is its `url`) with one data source, Notion's own answers and refusals. */
export function createNotionStandIn(options: NotionStandInOptions = {}): NotionStandIn {
  const log = createReceivedLog<NotionPage>();
  const dataSourceId = options.dataSourceId ?? defaultDataSourceId;
  const source = {
    id: dataSourceId,
    databaseId: '7d1c5e3a-2b4f-4c60-9a8d-1e0f3b2c4d5e',
    name: 'Meetings',
    properties: options.properties ?? defaultProperties,
  };
  const world: NotionWorld = { log, source, clock: options.clock ?? Date.now };
  const reset = (): void => {
    log.clear();
    world.source = source;
  };
  const app = createStandInApp({
    apiPath: '/v1',
    answerCall: createNotionCaller(world),
    answerUnreadable,
    renderHome: () => renderNotionPage(log.list()),
    listReceived: log.list,
    reset,
    intercept: options.intercept,
    allowedHosts: options.allowedHosts,
  });
  const server = createServer(app);
  return {
    dataSourceId,
    listen: async (address) => ({ url: `http://${await startListening(server, address)}` }),
    received: log.list,
    reset,
    onReceived: log.onReceived,
    close: () => stopListening(server),
  };
}

function answerUnreadable(status: number): Answer {
  const message = 'Error parsing JSON body.';
  return { status, body: { object: 'error', status, code: 'invalid_json', message, request_id: '' } };
}
