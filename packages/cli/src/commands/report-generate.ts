import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { pasteWord, quoteWord } from '../quote-word.ts';
import { withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';

/** `aftermeet report generate`: another report of the same meeting. */
export function addReportGenerateCommand(report: Command, context: Context): void {
  report
    .command('generate')
    .summary('make a report from another template')
    .description(
      'Has the service make a report from a template, built-in or custom. The meeting may be processing again ' +
        'meanwhile. The id it prints names the template within the report, for aftermeet report edit.',
    )
    .argument('<meeting-id>', 'the meeting')
    .argument('<template>', 'a name or id that aftermeet templates lists')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet report generate m_42 sales-meeting')
    .action(async (meetingId: string, template: string, { json }: { json?: boolean }) => {
      const made = await withService(context, { json }, ({ client, call }) =>
        client.reports.generate({ meeting_id: meetingId, template_name: template }, call),
      );
      const { createdTemplateId, raw } = made;
      if (json === true) {
        context.write(formatJson({ meetingId, createdTemplateId, answer: raw }));
        return;
      }
      context.write('The service makes the report.\n');
      if (createdTemplateId !== undefined) context.write(`Template id ${cleanLine(createdTemplateId)}\n`);
      const word = quoteWord(nameInReport(template, createdTemplateId));
      context.write(`Read it: aftermeet report get ${pasteWord(meetingId)} --template ${word}\n`);
    });
}

/** A built-in template has its name in the report too; a custom one is known there by its own name and another id. */
function nameInReport(template: string, createdId: string | undefined): string {
  const isBuiltIn = /^[a-z]+(?:-[a-z]+)*$/.test(template);
  return cleanLine(isBuiltIn ? template : (createdId ?? template));
}
