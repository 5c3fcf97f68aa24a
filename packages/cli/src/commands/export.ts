import type { ExportInput, ExportStream } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import type { CommandContext, Context } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { omitUndefined } from '../options.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { readTemplate } from '../service/template-name.ts';
import { withService } from '../service/with-service.ts';
import { formatBytes, formatJson } from '../terminal/format.ts';
import { cleanLine, cleanText } from '../terminal/text.ts';

interface ExportOptions {
  readonly format?: ExportInput['format'];
  readonly output: string;
  readonly report: boolean;
  readonly tasks: boolean;
  readonly template?: string;
  readonly timezone?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

const STDOUT = '-';

const FORMATS = ['pdf', 'docx', 'md'] as const;

/** `aftermeet export`: saves a meeting as a file. */
export function addExportCommand(program: Command, context: CommandContext): void {
  program
    .command('export')
    .summary('save a meeting as PDF, DOCX or Markdown')
    .description(
      'Saves a meeting as a file, by default in the current folder under the name that the service gives.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .addOption(
      new Option('--format <format>', 'file format (default: by the end of --output)').choices(FORMATS),
    )
    .option('-o, --output <path>', 'file or folder to save to; - prints the file', '.')
    .option('--no-report', 'leave the report out')
    .option('--no-tasks', 'leave the tasks out')
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists')
    .option('--timezone <zone>', 'time zone of the times in it, such as Europe/Berlin')
    .option('--overwrite', 'replace an existing file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet export m_42 --format pdf\n' +
        '  aftermeet export m_42 -o acme.docx\n' +
        '  aftermeet export m_42 --format md --no-tasks --output - | less',
    )
    .action(async (meetingId: string, options: ExportOptions) => {
      const { json, output } = options;
      const format = chooseFormat(options);
      checkOutput({ ...options, format }, context);
      const input = {
        meetingId,
        format,
        ...(options.report ? {} : { includeReport: false }),
        ...(options.tasks ? {} : { includeTasks: false }),
        ...omitUndefined({ timezone: options.timezone }),
      };
      if (output === STDOUT) {
        await withService(context, { meetingId }, async (service) => {
          const { client, call } = service;
          const whole = {
            ...input,
            ...(await readTemplate({ ...service, warn: context.writeError }, options.template)),
          };
          await printExport(context, await client.exports.stream(whole, call));
        });
        return;
      }
      const saved = await withService(context, { json, meetingId }, async (service) => {
        const { client, call, progress } = service;
        const whole = {
          ...input,
          ...(await readTemplate({ ...service, warn: context.writeError }, options.template)),
        };
        return client.exports.download(whole, output, {
          ...call,
          overwrite: options.overwrite === true,
          onProgress: ({ receivedBytes: doneBytes, totalBytes }) =>
            progress.show({ kind: 'bytes', label: 'saving', doneBytes, ...omitUndefined({ totalBytes }) }),
        });
      });
      context.write(
        json === true
          ? formatJson({ meetingId, ...saved })
          : `Saved ${cleanLine(saved.path)} (${formatBytes(saved.bytes)})\n`,
      );
    });
}

/** Of `--format`, or of the name of the file. */
function chooseFormat({ format, output }: ExportOptions): ExportInput['format'] {
  const end = /\.([^./\\]+)$/.exec(output)?.[1]?.toLowerCase();
  const chosen = format ?? FORMATS.find((known) => known === (end === 'markdown' ? 'md' : end));
  if (chosen !== undefined) return chosen;
  throw new WrongUse('Give the format: --format pdf, docx or md, or --output with such a file name.\n');
}

function checkOutput({ output, format, json, overwrite }: ExportOptions, { isTerminal }: Context): void {
  if (output !== STDOUT) return;
  if (json === true || overwrite === true) {
    throw new WrongUse('--output - prints the file itself: leave out --json and --overwrite.\n');
  }
  if (isTerminal && format !== 'md') {
    throw new WrongUse(`A terminal can't show ${format}: give --output a file, or redirect it with >.\n`);
  }
}

/** Prints a file while it is received: its bytes into a pipe, cleaned text to a terminal. */
async function printExport(
  { isTerminal, write, writeBytes }: Context,
  { stream }: ExportStream,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('An export must come as bytes.');
    if (isTerminal || writeBytes === undefined) write(cleanText(decoder.decode(chunk, { stream: true })));
    else await writeBytes(chunk);
  }
  write(cleanText(decoder.decode()));
}
