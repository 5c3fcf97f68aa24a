import type { Command } from 'commander';

import type { Context } from '../context.ts';
import type { ReconcileCommandOptions } from '../operate/reconcile.ts';
import { parseDuration } from '../parse-duration.ts';

/** `aftermeet reconcile`: finished meetings whose delivery never came. */
export function addReconcileCommand(program: Command, context: Context): void {
  program
    .command('reconcile')
    .summary('find finished meetings whose delivery never came, and queue them')
    .description(
      'Searches the service for meetings, asks for the status of those of which no delivery came, and queues an ' +
        'event for each that is finished or has failed, as if the service had sent it. Should its delivery come ' +
        'later, nothing is sent twice. Doing it twice, or on several machines, is the same as doing it once.\n\n' +
        'It can not tell a delivery that was lost from one that was never ordered: a meeting that was recorded ' +
        'without a webhook address is queued too, so look with --dry-run first. And all meetings of a series share ' +
        'one id: once one of them was delivered, the others are not missed.\n\n' +
        'The worker does the same by itself with reconcile: { every: 1h, since: 2d } in aftermeet.yaml.',
    )
    .option('--since <duration>', 'meetings of the last so long, by whole days (default: 2d)', parseDuration)
    .option('--endpoint <name>', 'whose recipes run (default: default, or the only one)')
    .option('--dry-run', 'say what is missing, and queue nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet reconcile --dry-run\n  aftermeet reconcile --since 7d --endpoint sales',
    )
    .action(async (options: ReconcileCommandOptions) => {
      const { reconcileDeliveries } = await import('../operate/reconcile.ts');
      await reconcileDeliveries(context, { ...options, ...program.opts<{ config?: string }>() });
    });
}
