import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import type { SendOptions } from '../hosting/send-delivery.ts';

/** `aftermeet send`: signs a test delivery with the settings' own secret and posts it. */
export function addSendCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('send')
    .summary('sign a test delivery and send it to a receiver')
    .description(
      'Signs a delivery as the service does, with the secret of the endpoint in these settings, and posts it. ' +
        'Without URL it goes to PUBLIC_URL, or to the receiver on this machine; with WEBHOOK_MASTER_SECRET to a new ' +
        'address /hooks/<endpoint>/<key>, with the secret that belongs to it. It puts a real job into the queue: ' +
        'a worker asks the service for the report of m_test, finds none and sends nothing; meeting.failed it reports. ' +
        'For the way out, name a meeting with --meeting-id that the service has a report of.',
    )
    .argument('[url]', "the receiver's address, with its /hooks/<endpoint>")
    .addOption(
      new Option('--event <kind>', 'event kind')
        .choices(['meeting.completed', 'meeting.failed'])
        .default('meeting.completed'),
    )
    .option('--endpoint <name>', 'endpoint whose secret signs (default: the one in the address, or default)')
    .option('--meeting-id <id>', 'meeting', 'm_test')
    .option('--title <text>', 'meeting title', 'Test meeting')
    .option('--reason <text>', 'failure reason, for meeting.failed', 'test')
    .option(
      '--unsigned',
      'send it without a signature, as a hint, to an address that takes those (unsigned: accept)',
    )
    .option('--empty-transcript', 'say that the transcript is empty')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet send --event meeting.failed --meeting-id m_42')
    .action(async (url: string | undefined, options: SendOptions) => {
      const { sendDelivery } = await import('../hosting/send-delivery.ts');
      finish(await sendDelivery(context, url, { ...options, ...program.opts<{ config?: string }>() }));
    });
}
