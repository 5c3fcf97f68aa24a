import type { Command } from 'commander';

import type { CommandContext, Context } from '../../context.ts';
import { WrongUse } from '../../errors.ts';
import { readPipedText, readTextFile } from '../../service/input.ts';
import { formatJson } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';
import { addControlOptions, createShow, describeSending, getText } from './control.ts';

/** `aftermeet sandbox meetings add`. */
export function addMeetingAddCommand(meetings: Command, context: CommandContext): void {
  const show = createShow(context);
  addControlOptions(
    meetings.command('add'),
    'sandbox meetings add meeting.json',
    'sandbox meetings add - < meeting.json',
    'sandbox meetings add --schema',
  )
    .summary('add a finished meeting with content of your own')
    .description(
      'Adds a finished meeting to a running sandbox: its report has your texts as they are, and meeting.completed is ' +
        'sent to the webhook_url of the file (in aftermeet dev: to the receiver, if the file names none). Only title ' +
        'is needed; docs/sandbox.md has an example.',
    )
    .argument('[file]', 'a JSON file, or - for piped input')
    .option('--schema', 'print the JSON Schema of the file')
    .action(async (file: string | undefined, { schema }: { schema?: boolean }, command: Command) => {
      const { describeGivenMeeting } = await import('@aftermeet/sandbox');
      if (schema === true) {
        context.writeData(formatJson(describeGivenMeeting()));
        return;
      }
      const body = await readMeeting(context, file);
      await show(command, { method: 'POST', path: '/meetings', body }, describeAdded);
    });
}

const HINT = 'Name a JSON file, or - for piped input; --schema prints what it may hold.';

/** The meeting of a file, as it was written; throws `WrongUse` with everything that is wrong with it. */
async function readMeeting(context: Context, file: string | undefined): Promise<object> {
  if (file === undefined) throw new WrongUse(`${HINT}\n`);
  const text = file === '-' ? await readPipedText(context, HINT) : await readTextFile(file);
  const value = parseJson(text);
  const { readGivenMeeting } = await import('@aftermeet/sandbox');
  const read = readGivenMeeting(value);
  if (!read.ok) {
    const lines = read.problems.map((problem) => `  ${cleanLine(problem)}\n`).join('');
    throw new WrongUse(`The meeting can't be used:\n${lines}`);
  }
  return value as object;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`The meeting is not JSON: ${cleanLine((error as Error).message)}\n`);
  }
}

function describeAdded(answer: unknown): string {
  const id = cleanLine(getText(answer, 'meetingId') ?? '');
  return (
    `Meeting ${id} was added, and its report is ready: aftermeet report get ${id}\n` +
    describeSending('It', answer)
  );
}
