import type { AddCommand } from '../add-command.ts';
import { addReportEditCommand } from './report-edit.ts';
import { addReportGenerateCommand } from './report-generate.ts';
import { addReportGetCommand } from './report-get.ts';

/** `aftermeet report`: read, make and edit reports. */
export const addReportCommand: AddCommand = (program, context) => {
  const report = program
    .command('report')
    .summary('read a report, make another one, edit it')
    .description('Reads the report of a meeting, makes another one from a template, or edits a block of it.');
  addReportGetCommand(report, context);
  addReportGenerateCommand(report, context);
  addReportEditCommand(report, context);
};
