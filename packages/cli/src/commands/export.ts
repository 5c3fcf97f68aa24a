import type { ExportInput } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { printExport } from '../service/print-export.ts';
import { withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';

interface ExportOptions {
  readonly format: ExportInput['format'];
  readonly output: string;
  readonly report: boolean;
  readonly tasks: boolean;
  readonly template?: string;
  readonly timezone?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

const STDOUT = '-';

/** `aftermeet export`: a meeting as a file. */
export function addExportCommand(program: Command, context: Context): void {
  program
    .command('export')
    .summary('save a meeting as PDF, DOCX or Markdown')
    .description('Saves a meeting as a file, by default into the current folder under a name of the service.')
    .argument('<meeting-id>', 'the meeting')
    .addOption(
      new Option('--format <format>', 'file format').choices(['pdf', 'docx', 'md']).makeOptionMandatory(),
    )
    .option('--output <path>', 'file or folder to save to; - prints the file', '.')
    .option('--no-report', 'leave the report out')
    .option('--no-tasks', 'leave the tasks out')
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists')
    .option('--timezone <zone>', 'time zone of the times in it, such as Europe/Berlin')
    .option('--overwrite', 'replace a file that is there')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet export m_42 --format pdf\n' +
        '  aftermeet export m_42 --format md --no-tasks --output - | less',
    )
    .action(async (meetingId: string, options: ExportOptions) => {
      const { json, output } = options;
      checkOutput(options, context);
      const input = {
        meeting_id: meetingId,
        format: options.format,
        ...(options.report ? {} : { include_report: false }),
        ...(options.tasks ? {} : { include_tasks: false }),
        ...dropAbsent({ template_name: options.template, timezone: options.timezone }),
      };
      if (output === STDOUT) {
        await withService(context, { meetingId }, ({ client, call }) =>
          printExport(context, () => client.exports.stream(input, call)),
        );
        return;
      }
      const saved = await withService(context, { json, meetingId }, ({ client, call, progress }) =>
        client.exports.download(input, output, {
          ...call,
          overwrite: options.overwrite === true,
          onProgress: ({ receivedBytes, totalBytes }) => {
            progress.show({
              kind: 'bytes',
              label: 'saving',
              doneBytes: receivedBytes,
              ...dropAbsent({ totalBytes }),
            });
          },
        }),
      );
      context.write(
        json === true
          ? formatJson({ meetingId, ...saved })
          : `Saved ${cleanLine(saved.path)} (${formatBytes(saved.bytes)})\n`,
      );
    });
}

function checkOutput({ output, format, json, overwrite }: ExportOptions, { isTerminal }: Context): void {
  if (output !== STDOUT) return;
  if (json === true || overwrite === true) {
    throw new WrongUse('--output - prints the file itself: leave out --json and --overwrite.\n');
  }
  if (isTerminal && format !== 'md') {
    throw new WrongUse(`A terminal can't show ${format}: give --output a file, or send it to one with >.\n`);
  }
}
