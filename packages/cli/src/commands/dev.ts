import type { Command } from 'commander';

import type { Context } from '../context.ts';

/** `aftermeet dev`: everything in one process, and one sample meeting shown on its way. */
export function addDevCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('dev')
    .summary('run everything on this machine and play a sample meeting through')
    .description(
      'Runs the sandbox (a stand-in of the service), stand-ins of Slack, Notion and a mail server, the receiver ' +
        'and the worker in one process, and plays one sample meeting through them. No account is needed, and ' +
        'nothing leaves this machine. QUEUE_URL chooses the queue; by default it is kept in .aftermeet.',
    )
    .option('--once', 'play one meeting and exit: 0 when it arrived everywhere, 1 when not')
    .option('--json', 'play one meeting, print the result as JSON, and exit')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet dev\n  QUEUE_URL=redis://127.0.0.1:6379 aftermeet dev --once',
    )
    .action(async (options: { once?: boolean; json?: boolean }) => {
      const { runDev } = await import('../dev/run-dev.ts');
      await runDev(context, { ...options, ...program.opts<{ config?: string }>() }, finish);
    });
}
