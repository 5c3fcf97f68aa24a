import { APIErrorCode, Client, type CreatePageParameters, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { NotionSettings } from '../destinations.ts';
import {
  type Carrier,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
  type ShipmentLabel,
} from '../shipment.ts';
import { classifyNotionError } from './classify-notion-error.ts';
import { type NotionPage, type NotionText, notionLimits } from './notion-page.ts';
import {
  type DataSourceAnswer,
  type DataSourceShape,
  keyProperty,
  readDataSource,
} from './read-data-source.ts';

const pageSchema = z.object({ id: z.string().min(1) });
const foundSchema = z.object({ results: z.array(pageSchema) });

/** How long the properties of a data source are believed. */
const shapeLifeMs = 300_000;

/**
 * Opens Notion. One page is one request, so it is there whole or not at all; the effect's key is a
 * property of the page. The SDK does not retry: the ledger owns retries.
 */
export function openNotion(
  settings: NotionSettings,
  clock: () => number,
  timeoutMs = sendTimeoutMs,
): Carrier<NotionPage> {
  const client = new Client({
    auth: settings.token,
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    retry: false,
    // Later than the request's own end: the SDK's timeout leaves the request running.
    timeoutMs: timeoutMs + 1000,
    fetch: (url, request) => fetchWithEnd(url, timeoutMs, request),
    logger: () => {},
  });
  const shapes = new Map<string, { readonly answer: Promise<DataSourceAnswer>; readonly readAtMs: number }>();
  const findShape = (dataSourceId: string): Promise<DataSourceAnswer> | undefined => {
    const known = shapes.get(dataSourceId);
    return known !== undefined && clock() - known.readAtMs < shapeLifeMs ? known.answer : undefined;
  };
  const readShape = async (dataSourceId: string): Promise<DataSourceAnswer> => {
    const reading = { answer: readDataSource(client, dataSourceId), readAtMs: clock() };
    shapes.set(dataSourceId, reading);
    const answer = await reading.answer;
    if (answer.result !== 'ready' && shapes.get(dataSourceId) === reading) shapes.delete(dataSourceId);
    return answer;
  };
  return {
    prepare: async (page, label) => {
      const known = findShape(label.target);
      const answer = await (known ?? readShape(label.target));
      if (answer.result !== 'ready') return answer;
      const send = async (): Promise<SendResult> => {
        const { sent, isInvalid } = await createPage(client, describePage(page, label, answer.shape));
        if (sent.result !== 'permanent') return sent;
        // Somebody may have renamed a property since it was read: the next try looks first.
        shapes.delete(label.target);
        if (known === undefined || !isInvalid) return sent;
        return { result: 'not_sent_retry', cause: `${sent.cause}, whose properties may have changed` };
      };
      return { result: 'ready', shipment: { timeoutMs, send, probe: () => findPage(client, label) } };
    },
    close: async () => {},
  };
}

function describePage(page: NotionPage, label: ShipmentLabel, shape: DataSourceShape): CreatePageParameters {
  return {
    parent: { type: 'data_source_id', data_source_id: label.target },
    properties: {
      [shape.titleProperty]: { title: [textOf(page.title)] },
      [keyProperty]: { rich_text: [textOf(label.effectKey)] },
      ...(shape.dateProperty !== undefined && page.startedAt !== undefined
        ? { [shape.dateProperty]: { date: { start: new Date(page.startedAt).toISOString() } } }
        : {}),
      ...(shape.meetingIdProperty === undefined
        ? {}
        : { [shape.meetingIdProperty]: { rich_text: [textOf(page.meetingId)] } }),
    },
    children: [...page.blocks],
  };
}

function textOf(content: string): NotionText {
  return { type: 'text', text: { content: content.slice(0, notionLimits.text) } };
}

async function createPage(
  client: Client,
  page: CreatePageParameters,
): Promise<{ readonly sent: SendResult; readonly isInvalid?: boolean }> {
  try {
    const created = pageSchema.safeParse(await client.pages.create(page));
    if (!created.success) return { sent: { result: 'unknown', cause: "Notion's answer names no page" } };
    return { sent: { result: 'sent', reference: created.data.id } };
  } catch (error) {
    const isInvalid = isHTTPResponseError(error) && error.code === APIErrorCode.ValidationError;
    return { sent: classifyNotionError(error), isInvalid };
  }
}

async function findPage(client: Client, label: ShipmentLabel): Promise<ProbeResult> {
  try {
    const answer = await client.dataSources.query({
      data_source_id: label.target,
      filter: { property: keyProperty, rich_text: { equals: label.effectKey } },
      page_size: 2,
    });
    const page = foundSchema.parse(answer).results[0];
    return page === undefined ? { result: 'absent' } : { result: 'found', reference: page.id };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    const cause = `whether the page was made could not be looked up: ${why}`;
    if (failure.result === 'rate_limited') return { ...failure, cause };
    return { result: failure.result === 'permanent' ? 'impossible' : 'not_asked', cause };
  }
}

/** A request that really ends: aborted after its time, never redirected with its token. */
function fetchWithEnd(
  url: string,
  timeoutMs: number,
  request?: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown },
): Promise<Response> {
  return fetch(url, {
    ...(request?.method === undefined ? {} : { method: request.method }),
    ...(request?.headers === undefined ? {} : { headers: request.headers }),
    ...(typeof request?.body === 'string' ? { body: request.body } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}
