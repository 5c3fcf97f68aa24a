import type { Report, ReportAnswer } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_NOT_READY, Failure, WrongUse } from '../errors.ts';
import { readPipedText, readTextFile } from '../service/input.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { waitForMeeting } from '../service/meeting-status.ts';
import {
  describeRest,
  findTemplates,
  formatReport,
  formatTemplate,
  formatTranscript,
  listTemplates,
  renderMarkdown,
} from '../service/report-text.ts';
import { resolveTemplate } from '../service/template-name.ts';
import { type Service, withService } from '../service/with-service.ts';
import { createPaint, formatJson } from '../terminal/format.ts';
import { cleanLine, cleanText, pasteWord, quoteWord } from '../terminal/text.ts';

/** `aftermeet report`: reads, generates and edits reports. */
export function addReportCommand(program: Command, context: CommandContext): void {
  const report = program
    .command('report')
    .summary('read, generate and edit reports')
    .description('Reads the report of a meeting, generates another one from a template, or edits a block.');
  addGetCommand(report, context);
  addGenerateCommand(report, context);
  addEditCommand(report, context);
}

interface GetOptions {
  readonly template?: string;
  readonly transcript?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
  readonly raw?: boolean;
}

function addGetCommand(report: Command, context: CommandContext): void {
  report
    .command('get')
    .summary('read the report of a meeting')
    .description(
      'Prints the report of a meeting: title, time, people, summary, decisions and tasks; in a pipe as Markdown. The exit code is 3 while ' +
        'it is not ready; --wait waits for it. A report may be made from several templates: --template prints the ' +
        'blocks of one of them, with the id and the block names that aftermeet report edit takes.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .addOption(
      new Option(
        '--template <template>',
        'print the blocks of one template of the report instead, by its name or id there',
      ).conflicts(['raw', 'transcript']),
    )
    .option('--transcript', 'print the transcript instead')
    .option('--wait', 'wait until it is ready, for an hour at most')
    .addOption(
      new Option(
        '--json',
        'print the report as JSON, in one shape for every answer of the service',
      ).conflicts(['raw', 'transcript']),
    )
    .addOption(new Option('--raw', 'print exactly what the service sent').conflicts('transcript'))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet report get m_42 --wait\n' +
        '  aftermeet report get m_42 --template sales-meeting\n' +
        '  aftermeet report get m_42 --transcript | less\n' +
        "  aftermeet report get m_42 --json | jq -r '.tasks[].text'",
    )
    .action(async (meetingId: string, options: GetOptions) => {
      const json = options.json === true || options.raw === true;
      const answer = await withService(context, { json }, async (service) => {
        if (options.wait === true) await waitUntilReady(service, meetingId);
        return service.client.reports.get(meetingId, service.call);
      });
      if (!answer.ready) {
        const which = options.template === undefined ? '' : ` --template ${pasteWord(options.template)}`;
        throw notReady(answer, `aftermeet report get ${pasteWord(meetingId)}${which} --wait`);
      }
      await printReport(answer.report, options, context);
    });
}

async function waitUntilReady(service: Service, meetingId: string): Promise<void> {
  const { phase, status } = await waitForMeeting(service, meetingId);
  if (phase === 'ready') return;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'no_report',
    message: `There will be no report: the service says ${cleanLine(status)}.`,
  });
}

/** The failure of a command that needs a report which is not ready yet; `advice` is how to wait for it. */
export function notReady({ status }: Extract<ReportAnswer, { ready: false }>, advice: string): Failure {
  return new Failure({
    exitCode: EXIT_NOT_READY,
    code: 'not_ready',
    message: `The report is not ready: the service says ${cleanLine(status)}.`,
    advice: `Wait for it: ${advice}`,
    retryable: true,
  });
}

async function printReport(report: Report, options: GetOptions, context: CommandContext): Promise<void> {
  const { template, transcript, json, raw } = options;
  const { raw: body, ...normalised } = report;
  if (template !== undefined) await printTemplate(report, template, options, context);
  else if (raw === true)
    context.writeData(typeof body === 'string' ? `${cleanText(body)}\n` : formatJson(body));
  else if (json === true) context.write(formatJson(normalised));
  else if (transcript === true) {
    const isEmpty = report.transcript.length === 0;
    context.write(isEmpty ? 'There is no transcript.\n' : formatTranscript(report.transcript));
  } else {
    await printMarkdown(formatReport(report), context);
    if (context.isTerminal) context.write(`\n${describeRest(report)}`);
  }
}

/** Rendered on a terminal; in a pipe it stays Markdown. */
async function printMarkdown(markdown: string, context: CommandContext): Promise<void> {
  context.write(context.isTerminal ? await renderMarkdown(markdown, createPaint(context)) : markdown);
}

async function printTemplate(
  report: Report,
  wanted: string,
  { json }: GetOptions,
  context: CommandContext,
): Promise<void> {
  const { meetingId } = report;
  const templates = findTemplates(report, wanted);
  if (templates.length === 0) {
    const known =
      report.templates.length === 0 ? 'It has none.' : `Its templates are:\n${listTemplates(report)}`;
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'not_found',
      message: 'The report has no such template.',
      advice: `${known}\nGenerate it: aftermeet report generate ${pasteWord(meetingId)} <template>`,
    });
  }
  if (json === true) context.write(formatJson({ meetingId, templates }));
  else await printMarkdown(templates.map(formatTemplate).join('\n'), context);
}

function addGenerateCommand(report: Command, context: CommandContext): void {
  report
    .command('generate')
    .summary('generate a report from another template')
    .description(
      'Has the service generate a report from a template, built-in or custom. The meeting may be processing again ' +
        'meanwhile. Prints the id of the template within the report, for aftermeet report edit.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .argument('<template>', 'name or id that aftermeet templates lists')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet report generate m_42 sales-meeting')
    .action(async (meetingId: string, given: string, { json }: { json?: boolean }) => {
      const { template, createdTemplateId, raw } = await withService(context, { json }, async (service) => {
        const { client, call } = service;
        const templateName = await resolveTemplate({ ...service, warn: context.writeError }, given);
        const made = await client.reports.generate({ meetingId, templateName }, call);
        return { ...made, template: templateName };
      });
      if (json === true) {
        context.write(formatJson({ meetingId, createdTemplateId, answer: raw }));
        return;
      }
      context.write('The service is generating the report.\n');
      if (createdTemplateId !== undefined) context.write(`Template id ${cleanLine(createdTemplateId)}\n`);
      const word = quoteWord(nameInReport(template, createdTemplateId));
      context.write(`Read it: aftermeet report get ${pasteWord(meetingId)} --template ${word}\n`);
    });
}

/** A built-in template keeps its name in the report; a custom one has another id there. */
function nameInReport(template: string, createdId: string | undefined): string {
  const isBuiltIn = /^[a-z]+(?:-[a-z]+)*$/.test(template);
  return cleanLine(isBuiltIn ? template : (createdId ?? template));
}

interface EditOptions {
  readonly templateId?: string;
  readonly block: string;
  readonly text?: string;
  readonly textFile?: string;
  readonly json?: boolean;
}

function addEditCommand(report: Command, context: CommandContext): void {
  report
    .command('edit')
    .summary('replace the text of one block')
    .description(
      'Replaces the text of one block of a report. Without --text and --text-file it takes piped input. aftermeet ' +
        'report get <meeting-id> --template <name> shows the id of a template and the names of its blocks; without ' +
        '--template it lists the templates of a report that has several.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .option('--template-id <id>', 'template within the report; needed if it has several')
    .requiredOption('--block <name>', 'block, such as summary')
    .addOption(new Option('--text <text>', "new text; '' empties the block").conflicts('textFile'))
    .option('--text-file <file>', 'file with the new text')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet report edit m_42 --block summary --text "We ship on Friday."\n' +
        '  aftermeet report edit m_42 --template-id t_7 --block summary < summary.md',
    )
    .action(async (meetingId: string, options: EditOptions) => {
      const { block, json } = options;
      const newSummaryText = await readNewText(options, context);
      const { raw, templateId } = await withService(context, { json, meetingId }, async (service) => {
        const found = options.templateId ?? (await findOnlyTemplate(meetingId, service));
        const input = { meetingId, templateId: found, entityName: block, newSummaryText };
        const answer = await service.client.reports.editBlock(input, service.call);
        return { raw: answer.raw, templateId: found };
      });
      context.write(
        json === true
          ? formatJson({ meetingId, templateId, block, answer: raw })
          : 'The block has its new text.\n',
      );
    });
}

/** The id of the one template that the report has. */
async function findOnlyTemplate(meetingId: string, { client, call }: Service): Promise<string> {
  const answer = await client.reports.get(meetingId, call);
  if (!answer.ready) throw notReady(answer, `aftermeet status ${pasteWord(meetingId)} --wait`);
  const { report } = answer;
  const ids = report.templates.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const [only] = ids;
  if (only !== undefined && report.templates.length === 1) return only;
  const known =
    report.templates.length === 0
      ? 'The report has no template.'
      : `Its templates are:\n${listTemplates(report)}`;
  throw new WrongUse(`Say which template of the report: --template-id. ${known.trimEnd()}\n`);
}

async function readNewText({ text, textFile }: EditOptions, context: CommandContext): Promise<string> {
  if (text !== undefined) return text;
  if (textFile !== undefined) return readTextFile(textFile);
  return readPipedText(context, 'Give the new text with --text or --text-file, or pipe it in.');
}
