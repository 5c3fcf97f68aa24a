import type { ReconcileOutcome, UndeliveredMeeting } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableWidth } from '../context.ts';
import { formatProblem, WrongUse } from '../errors.ts';
import { withOperator } from '../operate/operator.ts';
import { parseDuration } from '../options.ts';
import { withService } from '../service/with-service.ts';
import { type Column, formatJson, formatMoment, formatTable } from '../terminal/format.ts';

interface ReconcileOptions {
  /** Seconds. */
  readonly since?: number;
  readonly endpoint?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const columns: readonly Column<UndeliveredMeeting>[] = [
  { title: 'MEETING', read: ({ meetingId }) => meetingId },
  { title: 'START (UTC)', read: ({ startedAt }) => startedAt && formatMoment(startedAt) },
  { title: 'EVENT', read: ({ kind }) => kind },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
];

/** `aftermeet reconcile`: queues finished meetings whose delivery never arrived. */
export function addReconcileCommand(program: Command, context: CommandContext): void {
  program
    .command('reconcile')
    .summary('find finished meetings whose delivery never arrived, and queue them')
    .description(
      'Searches the service for meetings, asks for the status of those without a delivery, and queues an event for ' +
        'each that is finished or has failed, as if the service had sent it. If its delivery arrives later, nothing ' +
        'is sent twice. Repeating it, also on several machines, changes nothing.\n\n' +
        'It cannot tell a lost delivery from one that was never requested: a meeting recorded without a webhook ' +
        'address is queued too, so run it with --dry-run first. All meetings of a series share one id: once one of ' +
        'them was delivered, the lost deliveries of the others are not found.\n\n' +
        'The worker does the same on a schedule with reconcile: { every: 1h, since: 2d } in aftermeet.yaml.',
    )
    .option('--since <duration>', 'meetings of this last period, in whole days (default: 2d)', parseDuration)
    .option(
      '--endpoint <name>',
      'endpoint whose recipes run (default: the endpoint named "default", or the only one)',
    )
    .option('--dry-run', 'print what is missing, and queue nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet reconcile --dry-run\n  aftermeet reconcile --since 7d --endpoint sales',
    )
    .action(async ({ json, dryRun = false, since, endpoint }: ReconcileOptions) => {
      const { reconcile } = await import('@aftermeet/recipes');
      const { chooseEndpoint, DEFAULT_SINCE_MS } = await import('../settings/sections.ts');
      const outcome = await withService(context, { json }, ({ client, call, progress }) =>
        withOperator(context, async (operator) => {
          const choice = chooseEndpoint(operator.requireSettings().endpoints, endpoint);
          if (!choice.ok) {
            throw new WrongUse(`${formatProblem({ setting: '--endpoint', ...choice.problem })}\n`);
          }
          progress.show({ kind: 'wait', label: 'Searching' });
          return await reconcile(
            { ...operator, client },
            {
              ...call,
              sinceMs: since === undefined ? DEFAULT_SINCE_MS : since * 1000,
              endpoint: choice.endpoint,
              isDryRun: dryRun,
              onProgress: ({ searched }) => progress.note(`${countMeetings(searched)} searched`),
            },
          );
        }),
      );
      if (json === true) context.write(formatJson({ dryRun, ...outcome }));
      else context.write(describeOutcome(outcome, dryRun, tableWidth(context)));
    });
}

function describeOutcome(
  { searched, delivered, unfinished, unclear, undelivered }: ReconcileOutcome,
  isDryRun: boolean,
  width: number | undefined,
): string {
  const table = undelivered.length === 0 ? '' : `${formatTable(undelivered, columns, width)}\n`;
  const rest = unclear.length === 0 ? '' : `, ${unclear.length} of unknown status`;
  const queued = isDryRun ? 'would be queued: run it without --dry-run' : 'queued';
  return (
    `${table}${countMeetings(searched)}: ${delivered} delivered, ${unfinished} not finished${rest}, ` +
    `${undelivered.length} ${queued}.\n`
  );
}

function countMeetings(count: number): string {
  return count === 1 ? '1 meeting' : `${count} meetings`;
}
