import type { Command } from 'commander';

import type { Context } from '../context.ts';

/** `aftermeet doctor`: whether everything that these settings name works. */
export function addDoctorCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('doctor')
    .summary('check settings, service, queue and every destination for real')
    .description(
      'Asks everything that these settings name whether it works, all at once and for ten seconds at most: the service ' +
        'with the key, the queue, Slack (token, scopes, channels), the Notion data sources, the mail server, the ' +
        'mailbox, and the folders and addresses of recipes. Nothing is sent or changed. Each check says what to do ' +
        'next. The exit code is 1 when one has failed.',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet doctor\n  aftermeet doctor --config aftermeet.yaml --json',
    )
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('../doctor/run-doctor.ts');
      await runDoctor(context, { ...options, ...program.opts<{ config?: string }>() }, finish);
    });
}
