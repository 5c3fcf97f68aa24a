import { type ReconcileOutcome, reconcile, type UndeliveredMeeting } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { withService } from '../service/with-service.ts';
import { chooseEndpoint, USUAL_SINCE_MS } from '../settings/reconcile-schema.ts';
import { formatJson } from '../terminal/format-json.ts';
import { formatMoment } from '../terminal/format-moment.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';
import { WrongUse } from '../wrong-use.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

export interface ReconcileCommandOptions extends OperatorOptions {
  /** Seconds. */
  readonly since?: number;
  readonly endpoint?: string;
  readonly dryRun?: boolean;
}

const columns: readonly Column<UndeliveredMeeting>[] = [
  { title: 'MEETING', read: ({ meetingId }) => meetingId },
  { title: 'START (UTC)', read: ({ startedAt }) => startedAt && formatMoment(startedAt) },
  { title: 'EVENT', read: ({ kind }) => kind },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
];

/** What `aftermeet reconcile` does. */
export async function reconcileDeliveries(context: Context, options: ReconcileCommandOptions): Promise<void> {
  const { json, dryRun = false, since } = options;
  const sinceMs = since === undefined ? USUAL_SINCE_MS : since * 1000;
  const outcome = await withService(context, { json }, ({ client, call, progress }) =>
    withOperator(context, options, async (operator) => {
      const choice = chooseEndpoint(operator.settings.endpoints, options.endpoint);
      if (!choice.ok) {
        throw new WrongUse(
          `--endpoint: found ${choice.problem.found}; expected ${choice.problem.expected}\n`,
        );
      }
      progress.show({ kind: 'wait', label: 'Searching' });
      return await reconcile(
        { ...operator, client },
        {
          ...call,
          sinceMs,
          endpoint: choice.endpoint,
          isDryRun: dryRun,
          onProgress: ({ searched }) => progress.note(`${countMeetings(searched)} searched`),
        },
      );
    }),
  );
  if (json === true) context.write(formatJson({ dryRun, ...outcome }));
  else context.write(describeOutcome(outcome, dryRun, readTableWidth(context)));
}

function describeOutcome(
  { searched, delivered, unfinished, unclear, undelivered }: ReconcileOutcome,
  isDryRun: boolean,
  width: number | undefined,
): string {
  const table = undelivered.length === 0 ? '' : `${formatTable(undelivered, columns, width)}\n`;
  const rest = unclear.length === 0 ? '' : `, ${unclear.length} of which the service says nothing clear`;
  const deed = isDryRun ? 'would be queued: without --dry-run it is done' : 'queued';
  return (
    `${table}${countMeetings(searched)}: ${delivered} delivered, ${unfinished} not finished${rest}, ` +
    `${undelivered.length} ${deed}.\n`
  );
}

function countMeetings(count: number): string {
  return count === 1 ? '1 meeting' : `${count} meetings`;
}
