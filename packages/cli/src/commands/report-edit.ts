import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { readPipedText, readTextFile } from '../service/read-input-text.ts';
import { withService } from '../service/with-service.ts';
import { formatJson } from '../terminal/format-json.ts';

interface EditOptions {
  readonly templateId: string;
  readonly block: string;
  readonly text?: string;
  readonly textFile?: string;
  readonly json?: boolean;
}

/** `aftermeet report edit`: another text for one block. */
export function addReportEditCommand(report: Command, context: Context): void {
  report
    .command('edit')
    .summary('replace the text of one block')
    .description(
      'Replaces the text of one block of a report. Without --text and --text-file the text is what is piped in. ' +
        'aftermeet report get <meeting-id> --template <name> shows the id of a template and the names of its blocks; ' +
        'without --template it names the templates of a report that has several.',
    )
    .argument('<meeting-id>', 'the meeting')
    .requiredOption('--template-id <id>', 'the template within the report')
    .requiredOption('--block <name>', 'the block, such as summary')
    .addOption(new Option('--text <text>', "the new text; '' empties the block").conflicts('textFile'))
    .option('--text-file <file>', 'file with the new text')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet report edit m_42 --template-id t_7 --block summary --text "We ship on Friday."\n' +
        '  aftermeet report edit m_42 --template-id t_7 --block summary < summary.md',
    )
    .action(async (meetingId: string, options: EditOptions) => {
      const { templateId, block, json } = options;
      const input = {
        meeting_id: meetingId,
        templateId,
        entityName: block,
        newSummaryText: await readNewText(options, context),
      };
      const { raw } = await withService(context, { json }, ({ client, call }) =>
        client.reports.editBlock(input, call),
      );
      context.write(
        json === true
          ? formatJson({ meetingId, templateId, block, answer: raw })
          : 'The block has its new text.\n',
      );
    });
}

async function readNewText({ text, textFile }: EditOptions, context: Context): Promise<string> {
  if (text !== undefined) return text;
  if (textFile !== undefined) return readTextFile(textFile);
  return readPipedText(context, 'Give the new text with --text or --text-file, or pipe it in.');
}
