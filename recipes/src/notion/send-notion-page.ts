import { APIErrorCode, Client, type CreatePageParameters, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { NotionSettings } from '../destinations.ts';
import {
  type Carrier,
  type NotSent,
  type ProbeResult,
  type SendResult,
  sendTimeoutMs,
  type Shipment,
  type ShipmentLabel,
  type UpdateResult,
} from '../shipment.ts';
import { classifyNotionError } from './classify-notion-error.ts';
import { fillKey, fillProperties } from './fill-properties.ts';
import type { NotionPage } from './notion-page.ts';
import {
  type DataSourceAnswer,
  type DataSourceShape,
  keyProperty,
  readDataSource,
} from './read-data-source.ts';
import { updateNotionPage } from './update-notion-page.ts';

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
  const client = openClient(settings, timeoutMs, () => AbortSignal.timeout(timeoutMs));
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
      if (answer.result !== 'ready') {
        // However many effects wait for one answer, it is one answer.
        return known === undefined ? answer : { ...answer, contact: 'none' };
      }
      /** Somebody may have renamed a property since it was read: the next try looks first. */
      const doubtShape = <Result extends SendResult | UpdateResult>(
        result: Result,
        isInvalid = false,
      ): Result | NotSent => {
        if (result.result !== 'permanent') return result;
        shapes.delete(label.target);
        if (known === undefined || !isInvalid) return result;
        const cause = `${result.cause}, whose properties may have changed`;
        return { result: 'not_sent_retry', cause, contact: 'answered' };
      };
      const shipment: Shipment = {
        timeoutMs,
        send: async () => {
          const { sent, isInvalid } = await createPage(client, describePage(page, label, answer.shape));
          return doubtShape(sent, isInvalid);
        },
        probe: () => findPage(client, label),
        update: async (reference) => {
          // All its calls together have the time of one: nobody else may be at the page meanwhile.
          const ending = AbortSignal.timeout(timeoutMs);
          const updater = openClient(settings, timeoutMs, () => ending);
          const update = await updateNotionPage(updater, reference, page, answer.shape);
          return doubtShape(update.updated, update.isInvalid);
        },
      };
      return { result: 'ready', shipment };
    },
    close: async () => {},
  };
}

function openClient(settings: NotionSettings, timeoutMs: number, endCall: () => AbortSignal): Client {
  return new Client({
    auth: settings.token,
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    retry: false,
    // Later than the request's own end: the SDK's timeout leaves the request running.
    timeoutMs: timeoutMs + 1000,
    fetch: (url, request) => fetchWithEnd(url, endCall(), request),
    logger: () => {},
  });
}

function describePage(page: NotionPage, label: ShipmentLabel, shape: DataSourceShape): CreatePageParameters {
  return {
    parent: { type: 'data_source_id', data_source_id: label.target },
    properties: { ...fillProperties(page, shape), ...fillKey(label.effectKey) },
    children: [...page.blocks],
  };
}

async function createPage(
  client: Client,
  page: CreatePageParameters,
): Promise<{ readonly sent: SendResult; readonly isInvalid?: boolean }> {
  try {
    const created = pageSchema.safeParse(await client.pages.create(page));
    if (!created.success) {
      return { sent: { result: 'unknown', cause: "Notion's answer names no page", contact: 'answered' } };
    }
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
      // One that somebody copied carries the key too: the first one is ours.
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: 1,
    });
    const page = foundSchema.parse(answer).results[0];
    return page === undefined ? { result: 'absent' } : { result: 'found', reference: page.id };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    const cause = `whether the page was made could not be looked up: ${why}`;
    if (failure.result === 'rate_limited') return { ...failure, cause };
    const { result, contact } = failure;
    return {
      result: result === 'permanent' ? 'impossible' : 'not_asked',
      cause,
      ...(contact === undefined ? {} : { contact }),
    };
  }
}

/** A request that really ends: aborted after its time, never redirected with its token. */
function fetchWithEnd(
  url: string,
  ending: AbortSignal,
  request?: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown },
): Promise<Response> {
  return fetch(url, {
    ...(request?.method === undefined ? {} : { method: request.method }),
    ...(request?.headers === undefined ? {} : { headers: request.headers }),
    ...(typeof request?.body === 'string' ? { body: request.body } : {}),
    redirect: 'error',
    signal: ending,
  });
}
