import type { ControlAction } from '@aftermeet/sandbox/control';
import type { Command } from 'commander';

import type { CommandContext, Context } from '../../context.ts';
import { WrongUse } from '../../errors.ts';
import { readPipedText, readTextFile } from '../../service/input.ts';
import { formatJson } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';
import { runControl } from './control.ts';

/** `aftermeet sandbox meetings add`: reads a file. */
export function addMeetingAddCommand(command: Command, action: ControlAction, context: CommandContext): void {
  command
    .argument('[file]', 'a JSON file, or - for piped input')
    .option('--schema', 'print the JSON Schema of the file')
    .action(async (file: string | undefined, { schema }: { schema?: boolean }) => {
      const { describeGivenMeeting } = await import('@aftermeet/sandbox');
      if (schema === true) {
        context.writeData(formatJson(describeGivenMeeting()));
        return;
      }
      const values = await readMeeting(context, file);
      await runControl(context, command, { action, values }, (answer) => action.says?.(answer) ?? '');
    });
}

const HINT = 'Name a JSON file, or - for piped input; --schema prints what it may hold.';

/** The meeting of a file, as it was written; throws `WrongUse` with everything that is wrong with it. */
async function readMeeting(
  context: Context,
  file: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined) throw new WrongUse(`${HINT}\n`);
  const text = file === '-' ? await readPipedText(context, HINT) : await readTextFile(file);
  const value = parseJson(text);
  const { readGivenMeeting } = await import('@aftermeet/sandbox');
  const read = readGivenMeeting(value);
  if (!read.ok) {
    const lines = read.problems.map((problem) => `  ${cleanLine(problem)}\n`).join('');
    throw new WrongUse(`The meeting can't be used:\n${lines}`);
  }
  // What is an object, as the reading has shown.
  return { ...(value as object) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongUse(`The meeting is not JSON: ${cleanLine((error as Error).message)}\n`);
  }
}
