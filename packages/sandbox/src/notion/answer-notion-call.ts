import { randomUUID } from 'node:crypto';

import type { Answer, Call } from '../stand-ins/create-stand-in-app.ts';
import type { ReceivedLog } from '../stand-ins/received-log.ts';
import { readParts, readText } from '../web/read-parts.ts';
import { checkNotionChildren } from './check-notion-children.ts';
import { changeDataSource, describeDataSource, type DataSource } from './data-source.ts';
import { describePage, readPageProperties, readPropertyText, type NotionPage } from './notion-page.ts';
import { refuseNotionBody, refuseNotionCall, type NotionRefusal } from './notion-refusal.ts';
import { queryDataSource } from './query-data-source.ts';

export interface NotionWorld {
  readonly log: ReceivedLog<NotionPage>;
  source: DataSource;
  readonly clock: () => number;
}

const oldestVersion = '2025-09-03';

/** Plays Notion's API: pages, one data source, and who is asking. */
export function createNotionCaller(world: NotionWorld): (call: Call) => Answer {
  return (call) => {
    const outcome = checkCaller(call) ?? answerRoute(world, call);
    const requestId = randomUUID();
    if (!isRefusal(outcome)) return { status: 200, body: { ...outcome, request_id: requestId } };
    const { status, code, message } = outcome;
    return { status, body: { object: 'error', status, code, message, request_id: requestId } };
  };
}

function isRefusal(outcome: object): outcome is NotionRefusal {
  return 'refused' in outcome;
}

function checkCaller(call: Call): NotionRefusal | undefined {
  if (!/^Bearer \S+$/i.test(call.header('authorization') ?? '')) {
    return refuseNotionCall(401, 'unauthorized', 'API token is invalid.');
  }
  const version = call.header('notion-version');
  if (version === undefined) {
    return refuseNotionCall(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    );
  }
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= oldestVersion
    ? undefined
    : refuseNotionBody(
        `Notion-Version header failed validation: this stand-in plays ${oldestVersion} and later.`,
      );
}

function answerRoute(world: NotionWorld, call: Call): object {
  const route = `${call.method} ${call.path.replace(/^\/v1\/data_sources\/[^/]+/, '/v1/data_sources/:id')}`;
  if (route === 'GET /v1/users/me') return describeBot();
  if (route === 'POST /v1/pages') return createPage(world, call.body);
  if (!route.includes('/v1/data_sources/:id'))
    return refuseNotionCall(400, 'invalid_request_url', 'Invalid request URL.');
  const asked = decodeURIComponent(call.path.split('/')[3] ?? '');
  const refusal = checkSource(world, asked);
  if (refusal !== undefined) return refusal;
  if (route === 'GET /v1/data_sources/:id') return describeDataSource(world.source);
  if (route === 'PATCH /v1/data_sources/:id') return updateSource(world, call.body);
  if (route === 'POST /v1/data_sources/:id/query') return answerQuery(world, call.body);
  return refuseNotionCall(400, 'invalid_request_url', 'Invalid request URL.');
}

/** Notion reads ids with and without dashes. */
function checkSource({ source }: NotionWorld, asked: string): NotionRefusal | undefined {
  if (asked.replaceAll('-', '').toLowerCase() === source.id.replaceAll('-', '').toLowerCase())
    return undefined;
  return refuseNotionCall(
    404,
    'object_not_found',
    `Could not find data source with ID: ${asked}. Make sure the relevant pages and databases are shared with your integration.`,
  );
}

function createPage(world: NotionWorld, body: unknown): object {
  const given = readParts(body);
  const parent = readParts(given['parent']);
  const asked = readText(parent['data_source_id']);
  if (asked === '')
    return refuseNotionBody(
      'body failed validation: body.parent.data_source_id should be defined: this stand-in keeps pages of a data source.',
    );
  const refusal = checkSource(world, asked);
  if (refusal !== undefined) return refusal;
  const properties = readPageProperties(readParts(given['properties']), world.source);
  if (isRefusal(properties)) return properties;
  const children = checkNotionChildren(given['children']);
  if (isRefusal(children)) return children;
  const title = Object.values(properties).find(({ type }) => type === 'title');
  const minuteMs = 60_000;
  const page: NotionPage = {
    id: randomUUID(),
    dataSourceId: world.source.id,
    createdTime: new Date(Math.floor(world.clock() / minuteMs) * minuteMs).toISOString(),
    title: readPropertyText(title),
    properties,
    children,
  };
  world.log.add(page);
  return describePage(page, world.source);
}

function updateSource(world: NotionWorld, body: unknown): object {
  const changed = changeDataSource(world.source, body);
  if (isRefusal(changed)) return changed;
  world.source = changed;
  return describeDataSource(changed);
}

function answerQuery(world: NotionWorld, body: unknown): object {
  const found = queryDataSource(world.log.list(), world.source, body);
  if (isRefusal(found)) return found;
  return {
    object: 'list',
    results: found.pages.map((page) => describePage(page, world.source)),
    next_cursor: found.nextCursor,
    has_more: found.nextCursor !== null,
    type: 'page_or_data_source',
    page_or_data_source: {},
  };
}

function describeBot(): object {
  return {
    object: 'user',
    id: '0b07a000-0000-4000-8000-000000000001',
    name: 'Aftermeet',
    avatar_url: null,
    type: 'bot',
    bot: { owner: { type: 'workspace', workspace: true }, workspace_name: 'Aftermeet sandbox' },
  };
}
