import { judgeDelivery, type JudgedEffect, readDelivery, type StoredDelivery } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import type { Moment } from '../parse-moment.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';
import { WrongUse } from '../wrong-use.ts';
import { formatIso, formatMinute, shortenId, viewDelivery } from './delivery-view.ts';
import { countVerdicts, describeStanding } from './describe-verdict.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

export interface ListDeliveriesOptions extends OperatorOptions {
  readonly since?: Moment;
  readonly until?: Moment;
  readonly endpoint?: string;
  readonly event?: string;
  readonly meeting?: string;
  readonly limit: number;
}

interface Row {
  readonly delivery: StoredDelivery;
  /** Absent: the recipes of these settings cannot run here. */
  readonly effects?: readonly JudgedEffect[];
}

const columns: readonly Column<Row>[] = [
  { title: 'DELIVERY', read: ({ delivery }) => shortenId(delivery.id) },
  { title: 'RECEIVED (UTC)', read: ({ delivery }) => formatMinute(delivery.receivedAtMs) },
  { title: 'ENDPOINT', read: ({ delivery }) => delivery.endpoint },
  { title: 'EVENT', read: ({ delivery }) => delivery.kind },
  { title: 'MEETING', read: ({ delivery }) => delivery.meetingId },
  { title: 'STATE', read: ({ delivery }) => delivery.state },
  { title: 'EFFECTS', read: ({ effects = [] }) => countVerdicts(effects, describeStanding), shrinks: true },
  { title: 'TITLE', read: ({ delivery }) => delivery.title ?? delivery.cause, shrinks: true },
];

/** What `aftermeet deliveries list` does. */
export async function listDeliveries(context: Context, options: ListDeliveriesOptions): Promise<void> {
  const { limit, json } = options;
  let isMore = false;
  const rows = await withOperator(context, options, async (operator) => {
    const { plan } = operator;
    const found: Row[] = [];
    for await (const job of operator.desk.listEvents(readRange(options, operator.clock()))) {
      const delivery = readDelivery(job);
      if (!isWanted(delivery, options)) continue;
      isMore = found.length >= limit;
      if (isMore) break;
      const effects = plan && (await judgeDelivery(job, { ...operator, plan }));
      found.push({ delivery, ...(effects === undefined ? {} : { effects }) });
    }
    return found;
  });
  if (json === true) {
    const views = rows.map(({ delivery, effects }) => ({ ...viewDelivery(delivery), effects }));
    context.write(formatJson(views));
  } else {
    const text = 'No delivery found.\n';
    context.write(rows.length === 0 ? text : formatTable(rows, columns, readTableWidth(context)));
  }
  if (isMore) context.writeError(`The newest ${limit} deliveries; --limit all lists all of them.\n`);
}

/** The range of the options for the store, both ends included; throws `WrongUse` when it ends before it begins. */
export function readRange(
  { since, until }: Pick<ListDeliveriesOptions, 'since' | 'until'>,
  nowMs: number,
): { readonly fromMs?: number; readonly toMs?: number } {
  const [fromMs, toMs] = [since?.(nowMs), until?.(nowMs)];
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw new WrongUse(
      `Nothing is since ${formatIso(fromMs)} and until ${formatIso(toMs)}: --since is the earlier one.\n`,
    );
  }
  return dropAbsent({ fromMs, toMs });
}

function isWanted(
  delivery: StoredDelivery,
  { endpoint, event, meeting }: Pick<ListDeliveriesOptions, 'endpoint' | 'event' | 'meeting'>,
): boolean {
  return (
    (endpoint === undefined || delivery.endpoint === endpoint) &&
    (event === undefined || delivery.kind === event) &&
    (meeting === undefined || delivery.meetingId === meeting)
  );
}
