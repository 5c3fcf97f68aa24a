import { setTimeout as sleep } from 'node:timers/promises';

import type { DeliveryPolicy } from '../../engine/limits/policy.ts';
import {
  type Connector,
  type NotSent,
  type Preparation,
  type SendResult,
  sendTimeoutMs,
  type SendLabel,
  type UpdateResult,
} from '../../engine/prepared-send.ts';
import { joinOr } from '../../report/clean-text.ts';
import { createCallCounter, createCallRunner, openNotionClient } from './client.ts';
import { createDataSourceCache } from './data-source.ts';
import { findPage, findRow } from './find-page.ts';
import type { NotionPage } from './page.ts';
import { planRequests } from './plan-requests.ts';
import {
  type Column,
  explainProblem,
  keyProperty,
  matchProperties,
  type References,
  rowProperty,
} from './properties.ts';
import { createReferenceFinder } from './references.ts';
import type { NotionSettings } from './settings.ts';
import { createPage, type PageWrite, type PageWritten, resumePage, updatePage } from './write-page.ts';

/**
 * Most call timeouts that writing one page may take. Nothing else may write the page meanwhile, and after a crash the
 * probe waits for it.
 */
const maxTimeouts = 12;

/** Milliseconds: `timeoutMs` of one call, `gapMs` on average between two calls. */
type NotionPace = Partial<Pick<DeliveryPolicy, 'timeoutMs' | 'gapMs'>>;

/** What a page needs that was read from Notion. */
interface PageFacts {
  readonly columns: readonly Column[];
  readonly references: References;
  /** The properties come from the cache. */
  readonly isCached: boolean;
}

/**
 * Opens Notion. The effect's key is a property of the page, by which a page of unknown outcome is found. A page of one
 * request exists completely or not at all; the key of a longer one says when it is complete.
 */
export function openNotion(
  settings: NotionSettings,
  clock: () => number,
  { timeoutMs = sendTimeoutMs, gapMs }: NotionPace = {},
  wait: (ms: number) => Promise<void> = sleep,
): Connector<NotionPage> {
  const counter = createCallCounter(clock, gapMs);
  const client = openNotionClient(settings, timeoutMs, counter);
  const dataSources = createDataSourceCache(client, clock);
  const finder = createReferenceFinder(client, settings.dataSourceId, clock);

  async function prepare(page: NotionPage, label: SendLabel): Promise<Preparation> {
    const keys = [keyProperty, ...(page.rowKey === undefined ? [] : [rowProperty])];
    const { answer, isCached } = await dataSources.read(label.target, keys);
    // However many effects wait for one answer, the circuit breaker counts one.
    if (answer.result !== 'ready') return isCached ? { ...answer, contact: 'none' } : answer;
    const { columns, problems } = matchProperties(page, answer.properties);
    const cause = problems[0] === undefined ? findUnknownStatus(page, columns) : explainProblem(problems[0]);
    if (cause !== undefined) {
      dataSources.forget(label.target);
      return { result: 'permanent', cause, contact: isCached ? 'none' : 'answered' };
    }
    const found = await finder.find(page, columns);
    if (found.result !== 'ready') return found;
    const facts: PageFacts = { columns, references: found.references, isCached };
    if (page.rowKey === undefined) return ready(page, label, facts);
    const row = await findRow(client, label.target, page.rowKey);
    if (row.result === 'ready') return ready(page, label, facts, row.reference);
    if (row.result !== 'permanent') return row;
    // The column may have been deleted since it was read; the next attempt adds it again.
    dataSources.forget(label.target);
    if (!isCached) return row;
    const hint = `${row.cause}; the property "${rowProperty}" may have been deleted`;
    return { result: 'not_sent_retry', cause: hint, contact: 'answered' };
  }

  /** `row`: an existing row of the task, which is updated. */
  function ready(page: NotionPage, label: SendLabel, facts: PageFacts, row?: string): Preparation {
    const plan = planRequests(page.blocks);
    const totalMs = timeoutMs * Math.min(plan.length, maxTimeouts);
    /** All calls together end within `totalMs`, when another worker may take over the page. */
    const begin = (): PageWrite => {
      const writer = openNotionClient(settings, timeoutMs, counter, AbortSignal.timeout(totalMs));
      const calls = createCallRunner({ clock, wait, counter }, clock() + totalMs);
      return { client: writer, calls, page, plan, label, ...facts };
    };
    /** A property may have been renamed since it was read: the next attempt reads the properties again. */
    const retryIfOutdated = <Result extends SendResult | UpdateResult>({
      outcome,
      isInvalid = false,
    }: PageWritten<Result>): Result | NotSent => {
      if (outcome.result !== 'permanent') return outcome;
      dataSources.forget(label.target);
      if (!facts.isCached || !isInvalid) return outcome;
      const cause = `${outcome.cause}, whose properties may have changed`;
      return { result: 'not_sent_retry', cause, contact: 'answered' };
    };
    const update = async (reference: string): Promise<UpdateResult> =>
      retryIfOutdated(await updatePage(begin(), reference));
    return {
      result: 'ready',
      prepared: {
        timeoutMs: totalMs,
        send: async () =>
          row === undefined ? retryIfOutdated(await createPage(begin())) : toSendResult(await update(row)),
        probe: () => findPage(client, label),
        update,
        finish: async (reference) => retryIfOutdated(await resumePage(begin(), reference)),
      },
    };
  }

  return { prepare, close: async () => {} };
}

/** The row was deleted after it was found: the next attempt looks again. */
function toSendResult(updated: UpdateResult): SendResult {
  return updated.result === 'gone' ? { ...updated, result: 'not_sent_retry' } : updated;
}

/** Notion rejects the whole page if a status has no option of that name. */
function findUnknownStatus(page: NotionPage, columns: readonly Column[]): string | undefined {
  const value = page.fields['status'];
  const column = columns.find(({ fact, type }) => fact === 'status' && type === 'status');
  if (value?.kind !== 'text' || column?.options === undefined) return undefined;
  if (column.options.includes(value.text)) return undefined;
  const names = joinOr(column.options.slice(0, 10).map((name) => `"${name}"`));
  return `the Notion property "${column.name}" has no option of the name that initialStatus says: it has ${names}`;
}
