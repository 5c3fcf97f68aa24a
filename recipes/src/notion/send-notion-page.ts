import { setTimeout as sleep } from 'node:timers/promises';

import type { NotionSettings } from '../destinations.ts';
import type { DeliveryPolicy } from '../pace/policy.ts';
import {
  type Carrier,
  type NotSent,
  type Preparation,
  type SendResult,
  sendTimeoutMs,
  type ShipmentLabel,
  type UpdateResult,
} from '../shipment.ts';
import type { References } from './fill-properties.ts';
import { findPage, findRow } from './find-page.ts';
import { openReferences } from './find-references.ts';
import { keepShapes } from './known-shapes.ts';
import { type Column, explainProblem, listTypes, matchProperties } from './match-properties.ts';
import { countCalls, openCalls, openNotionClient } from './notion-calls.ts';
import type { NotionPage } from './notion-page.ts';
import { planRequests } from './plan-requests.ts';
import { keyProperty, rowProperty } from './read-data-source.ts';
import { resumePage } from './resume-page.ts';
import { updateNotionPage } from './update-notion-page.ts';
import { createPage, type PageWriting } from './write-page.ts';

/** However long a page is: nobody else may be at it meanwhile, and after a crash it is looked for only then. */
const mostTimes = 12;

/** How long one call may take, and how far apart calls are on the average, milliseconds. */
type NotionPace = Partial<Pick<DeliveryPolicy, 'timeoutMs' | 'gapMs'>>;

/**
 * Opens Notion. A page of one request is there whole or not at all; of a longer one its key says when it is whole. The
 * effect's key is a property of the page. The SDK does not retry: the ledger owns retries.
 */
export function openNotion(
  settings: NotionSettings,
  clock: () => number,
  { timeoutMs = sendTimeoutMs, gapMs }: NotionPace = {},
  wait: (ms: number) => Promise<void> = sleep,
): Carrier<NotionPage> {
  const counter = countCalls(clock, gapMs);
  const client = openNotionClient(settings, timeoutMs, counter);
  const shapes = keepShapes(client, clock);
  const finder = openReferences(client, settings.dataSourceId, clock);

  const ready = (
    page: NotionPage,
    label: ShipmentLabel,
    found: { columns: readonly Column[]; references: References; row?: string; isKnown: boolean },
  ): Preparation => {
    const plan = planRequests(page.blocks);
    const wholeMs = timeoutMs * Math.min(plan.length, mostTimes);
    /** All calls together have one end: nobody else may be at the page after it. */
    const write = (): PageWriting => {
      const writer = openNotionClient(settings, timeoutMs, counter, AbortSignal.timeout(wholeMs));
      const calls = openCalls({ clock, wait, counter }, clock() + wholeMs);
      return { client: writer, calls, page, plan, label, ...found };
    };
    /** Somebody may have renamed a property since it was read: the next try looks first. */
    const doubtShape = <Result extends SendResult | UpdateResult>(
      result: Result,
      isInvalid = false,
    ): Result | NotSent => {
      if (result.result !== 'permanent') return result;
      shapes.forget(label.target);
      if (!found.isKnown || !isInvalid) return result;
      const cause = `${result.cause}, whose properties may have changed`;
      return { result: 'not_sent_retry', cause, contact: 'answered' };
    };
    const update = async (reference: string): Promise<UpdateResult> => {
      const { updated, isInvalid } = await updateNotionPage(write(), reference);
      return doubtShape(updated, isInvalid);
    };
    const finish = async (reference: string): Promise<UpdateResult> => {
      const { updated, isInvalid } = await resumePage(write(), reference);
      return doubtShape(updated, isInvalid);
    };
    const create = async (): Promise<SendResult> => {
      const { sent, isInvalid } = await createPage(write());
      return doubtShape(sent, isInvalid);
    };
    const { row } = found;
    const send = row === undefined ? create : async () => asSent(await update(row));
    return {
      result: 'ready',
      shipment: { timeoutMs: wholeMs, send, probe: () => findPage(client, label), update, finish },
    };
  };

  return {
    prepare: async (page, label) => {
      const keys = [keyProperty, ...(page.rowKey === undefined ? [] : [rowProperty])];
      const { answer, isKnown } = await shapes.find(label.target, keys);
      // However many effects wait for one answer, it is one answer.
      if (answer.result !== 'ready') return isKnown ? { ...answer, contact: 'none' } : answer;
      const { columns, problems } = matchProperties(page.kind, page.mapping, answer.properties);
      const cause =
        problems[0] === undefined ? findUnknownStatus(page, columns) : explainProblem(problems[0]);
      if (cause !== undefined) {
        shapes.forget(label.target);
        return { result: 'permanent', cause, contact: isKnown ? 'none' : 'answered' };
      }
      const looked = await finder.find(page, columns);
      if (looked.result !== 'ready') return looked;
      const { references } = looked;
      if (page.rowKey === undefined) return ready(page, label, { columns, references, isKnown });
      const row = await findRow(client, label.target, page.rowKey);
      if (row.result !== 'ready') return row;
      const known = row.reference === undefined ? {} : { row: row.reference };
      return ready(page, label, { columns, references, isKnown, ...known });
    },
    close: async () => {},
  };
}

/** A row that was found and is gone a moment later: the next try looks again. */
function asSent(updated: UpdateResult): SendResult {
  return updated.result === 'gone' ? { ...updated, result: 'not_sent_retry' } : updated;
}

/** A status takes only the names that it has: Notion would refuse the whole page. */
function findUnknownStatus(page: NotionPage, columns: readonly Column[]): string | undefined {
  const value = page.fields['status'];
  const column = columns.find(({ fact, type }) => fact === 'status' && type === 'status');
  if (value?.kind !== 'text' || column?.options === undefined) return undefined;
  if (column.options.includes(value.text)) return undefined;
  const names = listTypes(column.options.slice(0, 10).map((name) => `"${name}"`));
  return `the Notion property "${column.name}" has no option of the name that initialStatus says: it has ${names}`;
}
