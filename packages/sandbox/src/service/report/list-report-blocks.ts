import type { BlockName } from '../../content/block-names.ts';
import { findScript } from '../../content/find-script.ts';
import { findReportTemplate, type ReportTemplate } from '../../content/report-templates.ts';
import type { TimedChapter } from '../../content/time-script.ts';
import { writeBlock, type BlockSource, type BlockText } from '../../content/write-block.ts';
import type { Meeting, MeetingTemplate } from '../meeting.ts';

export interface ReportBlock {
  readonly name: BlockName;
  readonly text: BlockText;
}

/** The blocks of one template of a meeting's report, the rewritten ones as they were rewritten. */
export function listReportBlocks(
  meeting: Meeting,
  template: MeetingTemplate,
  chapters: readonly TimedChapter[],
): readonly ReportBlock[] {
  const source = readBlockSource(meeting, chapters);
  return findMeetingTemplate(template).blocks.map((name) => {
    const edit = template.edits.find(({ entityName }) => entityName === name);
    return { name, text: edit?.text ?? writeBlock(name, source) };
  });
}

/** What the blocks of a meeting are written from. */
export function readBlockSource(meeting: Meeting, chapters: readonly TimedChapter[]): BlockSource {
  return { script: findScript(meeting.scriptId), chapters, startMs: Date.parse(meeting.localDateTime) };
}

/** A recording may name a template that the sandbox does not know: its report looks like the default one's. */
export function findMeetingTemplate({ templateName }: MeetingTemplate): ReportTemplate {
  return (
    findReportTemplate(templateName) ?? { label: templateName, blocks: ['summary', 'decisions', 'tasks'] }
  );
}
