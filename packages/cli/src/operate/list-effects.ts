import {
  effectStates,
  type LedgerEntry,
  listEffects as readEffects,
  troubledStates,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';
import { formatMinute, shortenId } from './delivery-view.ts';
import { viewEffect } from './effect-view.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

export interface ListEffectsOptions extends OperatorOptions {
  readonly state?: string;
  readonly recipe?: string;
  readonly meeting?: string;
  readonly limit: number;
}

const columns: readonly Column<LedgerEntry>[] = [
  { title: 'EFFECT', read: ({ effectKey }) => shortenId(effectKey) },
  { title: 'CHANGED (UTC)', read: ({ changedAtMs }) => formatMinute(changedAtMs) },
  { title: 'STATE', read: ({ state }) => state },
  { title: 'RECIPE', read: ({ recipe }) => recipe },
  { title: 'DESTINATION', read: ({ destination }) => destination },
  { title: 'MEETING', read: ({ meetingId }) => meetingId },
  { title: 'ATTEMPTS', read: ({ attempts }) => String(attempts) },
  { title: 'CAUSE', read: ({ cause }) => cause, shrinks: true },
];

/** What `aftermeet effects list` does. */
export async function listEffects(context: Context, options: ListEffectsOptions): Promise<void> {
  const { limit, recipe, meeting, state, json } = options;
  const states = state === 'all' ? effectStates : effectStates.filter((each) => each === state);
  const selection = {
    states: state === undefined ? troubledStates : states,
    ...(recipe === undefined ? {} : { recipe }),
    ...(meeting === undefined ? {} : { meetingId: meeting }),
  };
  let isMore = false;
  const found = await withOperator(context, options, async ({ ledger }) => {
    const entries: LedgerEntry[] = [];
    for await (const entry of readEffects(selection, ledger)) {
      isMore = entries.length >= limit;
      if (isMore) break;
      entries.push(entry);
    }
    return entries;
  });
  if (json === true) context.write(formatJson(found.map(viewEffect)));
  else if (found.length > 0) context.write(formatTable(found, columns, readTableWidth(context)));
  else context.write(state === undefined ? 'Nothing needs a person.\n' : 'No effect found.\n');
  if (isMore) context.writeError(`The newest ${limit} effects; --limit all lists all of them.\n`);
}
