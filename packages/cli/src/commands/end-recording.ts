import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { pasteWord } from '../quote-word.ts';
import { withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';

interface Ending {
  readonly verb: 'stop' | 'cancel';
  readonly summary: string;
  readonly description: string;
  /** What is known afterwards, in whole lines. */
  readonly done: (meetingId: string) => string;
}

/** `aftermeet stop`: ends a recording early. */
export function addStopCommand(program: Command, context: Context): void {
  addEnding(program, context, {
    verb: 'stop',
    summary: 'stop a recording before the meeting ends',
    description:
      'Takes the bot out of the meeting. What it has recorded so far becomes the report. A recording that is still ' +
      'to come is taken back with aftermeet cancel <meeting-id>.',
    // The service takes it for any meeting, also one that is planned or over.
    done: (meetingId) =>
      `The service took the request.\nSee what became of it: aftermeet status ${pasteWord(meetingId)}\n`,
  });
}

/** `aftermeet cancel`: takes back a scheduled recording. */
export function addCancelCommand(program: Command, context: Context): void {
  addEnding(program, context, {
    verb: 'cancel',
    summary: 'cancel a scheduled recording',
    description: 'Takes back a recording that has not begun. One that runs is ended by aftermeet stop.',
    done: () => 'The scheduled recording was cancelled.\n',
  });
}

function addEnding(program: Command, context: Context, { verb, summary, description, done }: Ending): void {
  program
    .command(verb)
    .summary(summary)
    .description(description)
    .argument('<meeting-id>', 'the meeting')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  aftermeet ${verb} m_42`)
    .action(async (meetingId: string, { json }: { json?: boolean }) => {
      const { raw } = await withService(context, { json }, ({ client, call }) =>
        client.recordings[verb](meetingId, call),
      );
      context.write(json === true ? formatJson({ meetingId, answer: raw }) : done(cleanLine(meetingId)));
    });
}
