import type { RecordingStatus } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.ts';
import { describeStatus } from '../service/describe-status.ts';
import { waitForMeeting } from '../service/wait-for-meeting.ts';
import { withService } from '../service/with-service.ts';
import { formatJson } from '../terminal/format-json.ts';

/** `aftermeet status`: how far a meeting is. */
export function addStatusCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('status')
    .summary('ask how far a meeting is')
    .description(
      'Asks how far a meeting is: joining, recording, processing, ready, failed, cancelled or unknown. The ' +
        "service's own word stands beside it; one of them, queued, is said both of a recording that is planned and " +
        'of one that waits to be processed. With --wait it asks until the meeting is ready, or surely will not be: ' +
        'then the exit code is 1.',
    )
    .argument('<meeting-id>', 'the meeting')
    .option('--wait', 'ask until it is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet status m_42\n  aftermeet status m_42 --wait && aftermeet report get m_42',
    )
    .action(async (meetingId: string, options: { wait?: boolean; json?: boolean }) => {
      const status = await withService(context, { json: options.json }, (service): Promise<RecordingStatus> =>
        options.wait === true
          ? waitForMeeting(service, meetingId)
          : service.client.recordings.status(meetingId, service.call),
      );
      finish(options.wait === true && status.phase !== 'ready' ? EXIT_FAILED : EXIT_OK);
      context.write(
        options.json === true ? formatJson({ meetingId, ...status }) : `${describeStatus(status)}\n`,
      );
    });
}
