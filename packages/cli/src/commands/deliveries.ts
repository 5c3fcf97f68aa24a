import type { Command } from 'commander';

import type { Context } from '../context.ts';
import type { ListDeliveriesOptions } from '../operate/list-deliveries.ts';
import type { ReplayCommandOptions } from '../operate/replay-deliveries.ts';
import { parseLimit } from '../parse-limit.ts';
import { parseMoment } from '../parse-moment.ts';

const USUAL_LIMIT = 20;

/** `aftermeet deliveries`: what arrived, what it caused, and once more. */
export function addDeliveriesCommand(
  program: Command,
  context: Context,
  finish: (code: number) => void,
): void {
  const deliveries = program
    .command('deliveries')
    .summary('what arrived, what it caused, and once more')
    .description(
      'Shows the deliveries that the queue keeps and what they caused, and replays them. A delivery is named by its ' +
        'id, by the first characters of that (at least 8), or by the delivery header that came with it.',
    );
  const readConfig = () => program.opts<{ config?: string }>();
  addList(deliveries, context, readConfig);
  addShow(deliveries, context, readConfig);
  addReplay(deliveries, context, readConfig, finish);
}

type ReadConfig = () => { config?: string };

function addList(deliveries: Command, context: Context, readConfig: ReadConfig): void {
  deliveries
    .command('list')
    .summary('list what arrived')
    .description(
      'Lists the deliveries that are kept, the newest first. The state is that of making effects of it: waiting, ' +
        'active, delayed, completed (it is done) or failed. The effects are those of the recipes of these settings.',
    )
    .option('--since <time>', 'those received since then: 2d ago, or 2026-07-07T12:00Z', parseMoment)
    .option('--until <time>', 'those received until then', parseMoment)
    .option('--endpoint <name>', 'those of this endpoint')
    .option('--event <kind>', 'those of this kind, such as meeting.failed')
    .option('--meeting <meeting-id>', 'those of this meeting')
    .option('--limit <number>', 'how many to list at most, or all', parseLimit, USUAL_LIMIT)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet deliveries list --since 2h\n' +
        "  aftermeet deliveries list --event meeting.failed --limit all --json | jq -r '.[].meetingId'",
    )
    .action(async (options: ListDeliveriesOptions) => {
      const { listDeliveries } = await import('../operate/list-deliveries.ts');
      await listDeliveries(context, { ...options, ...readConfig() });
    });
}

function addShow(deliveries: Command, context: Context, readConfig: ReadConfig): void {
  deliveries
    .command('show')
    .summary('show a delivery and what it caused')
    .description('Shows one delivery, without its body, and where the effects of the recipes stand.')
    .argument('<delivery-id>', 'the delivery, as aftermeet deliveries list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet deliveries show 3f2a9c01be77')
    .action(async (id: string, options: { json?: boolean }) => {
      const { showDelivery } = await import('../operate/show-delivery.ts');
      await showDelivery(context, id, { ...options, ...readConfig() });
    });
}

function addReplay(
  deliveries: Command,
  context: Context,
  readConfig: ReadConfig,
  finish: (code: number) => void,
): void {
  deliveries
    .command('replay')
    .summary('have the recipes run on deliveries once more')
    .description(
      'Runs the recipes of these settings on stored deliveries once more. What was sent is not sent again; what has ' +
        'failed is tried again; what a recipe never made of them, because it is new, is queued. Doing it twice is the ' +
        'same as doing it once. A worker does the sending.\n\n' +
        'Deliveries from more than 60 days ago are refused: the ledger may have forgotten what was sent for them. ' +
        '--force takes them all the same, and may send twice. The exit code is 1 when a delivery that was named is ' +
        'not there or not replayed.',
    )
    .argument('[delivery-id...]', 'the deliveries, as aftermeet deliveries list shows them')
    .option('--since <time>', 'instead: those received since then, 2d ago or 2026-07-07T12:00Z', parseMoment)
    .option('--until <time>', 'those received until then', parseMoment)
    .option('--recipe <name>', 'only what this recipe makes of them')
    .option('--dry-run', 'say what would happen, and change nothing')
    .option('--force', 'also deliveries that are older than what the ledger remembers')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet deliveries replay 3f2a9c01be77 --dry-run\n' +
        '  aftermeet deliveries replay --since 7d --recipe sales-recap',
    )
    .action(async (ids: string[], options: ReplayCommandOptions) => {
      const { replayDeliveries } = await import('../operate/replay-deliveries.ts');
      await replayDeliveries(context, ids, { ...options, ...readConfig() }, finish);
    });
}
