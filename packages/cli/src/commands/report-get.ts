import type { Report, ReportAnswer } from '@aftermeet/client';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { pasteWord } from '../quote-word.ts';
import { formatReport, formatTranscript } from '../service/report-text.ts';
import { findTemplates, formatTemplate, listTemplates } from '../service/template-text.ts';
import { waitForMeeting } from '../service/wait-for-meeting.ts';
import { type Service, withService } from '../service/with-service.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { createPaint } from '../terminal/paint.ts';

interface GetOptions {
  readonly template?: string;
  readonly transcript?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
  readonly raw?: boolean;
}

/** `aftermeet report get`: the report of a meeting. */
export function addReportGetCommand(report: Command, context: Context): void {
  report
    .command('get')
    .summary('read the report of a meeting')
    .description(
      'Prints the report of a meeting: title, time, people, summary, decisions and tasks. While it is not ' +
        'ready the exit code is 1; --wait waits for it. A report may be made from several templates: --template ' +
        'prints all that was made from one of them, with the id and the block names that aftermeet report edit takes.',
    )
    .argument('<meeting-id>', 'the meeting')
    .addOption(
      new Option(
        '--template <template>',
        'print the blocks of one template of the report instead, by its name or id there',
      ).conflicts(['raw', 'transcript']),
    )
    .option('--transcript', 'print what was said instead')
    .option('--wait', 'wait until it is ready, for an hour at most')
    .addOption(
      new Option('--json', 'print the report as JSON, in one shape whatever the service sent').conflicts([
        'raw',
        'transcript',
      ]),
    )
    .addOption(new Option('--raw', 'print what the service sent, as it came').conflicts('transcript'))
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
      if (!answer.ready) throw notReady(meetingId, answer, options);
      context.write(printReport(answer.report, options, context.isTerminal));
    });
}

async function waitUntilReady(service: Service, meetingId: string): Promise<void> {
  const { phase, status } = await waitForMeeting(service, meetingId);
  if (phase === 'ready') return;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: phase,
    message: `There will be no report: the service says ${cleanLine(status)}.`,
  });
}

function notReady(
  meetingId: string,
  { status }: Extract<ReportAnswer, { ready: false }>,
  { template }: GetOptions,
): Failure {
  const which = template === undefined ? '' : ` --template ${pasteWord(template)}`;
  return new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_ready',
    message: `The report is not ready: the service says ${cleanLine(status)}.`,
    advice: `Wait for it: aftermeet report get ${pasteWord(meetingId)}${which} --wait`,
    retryable: true,
  });
}

function printReport(report: Report, options: GetOptions, isTerminal: boolean): string {
  const { template, transcript, json, raw } = options;
  if (template !== undefined) return printTemplate(report, template, options, isTerminal);
  const { raw: body, ...normalised } = report;
  if (raw === true) return typeof body === 'string' ? `${cleanText(body)}\n` : formatJson(body);
  if (json === true) return formatJson(normalised);
  if (transcript !== true) return formatReport(report, createPaint(isTerminal));
  return report.transcript.length === 0 ? 'There is no transcript.\n' : formatTranscript(report.transcript);
}

function printTemplate(report: Report, wanted: string, { json }: GetOptions, isTerminal: boolean): string {
  const { meetingId } = report;
  const templates = findTemplates(report, wanted);
  if (templates.length === 0) throw unknownTemplate(report);
  if (json === true) return formatJson({ meetingId, templates });
  const paint = createPaint(isTerminal);
  return templates.map((template) => formatTemplate(template, paint)).join('\n');
}

function unknownTemplate(report: Report): Failure {
  const there =
    report.templates.length === 0 ? 'It has none.' : `Its templates are:\n${listTemplates(report)}`;
  return new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_found',
    message: 'The report has no such template.',
    advice: `${there}\nMake it from another: aftermeet report generate ${pasteWord(report.meetingId)} <template>`,
  });
}
