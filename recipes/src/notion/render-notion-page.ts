import { type Digest, type DigestTask } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { continuesText, noSummaryText } from '../text/digest-text.ts';
import { formatMeetingWhen } from '../text/format-when.ts';
import { listMeetingFields } from './meeting-fields.ts';
import {
  makeBlock,
  type NotionBlock,
  notionLimits,
  type NotionPage,
  type PropertyMapping,
} from './notion-page.ts';
import { renderBlocks, renderLed, renderText } from './render-blocks.ts';
import { renderTranscript, toggle } from './render-transcript.ts';
import { isTakenUrl, makeRuns } from './rich-text.ts';

export interface NotionPageOptions {
  /** Where the report is read. */
  readonly link?: string | undefined;
  /** False: the transcript is left out also where the digest has it. */
  readonly transcript?: boolean | undefined;
  readonly mapping?: PropertyMapping | undefined;
  /** The status of a page that is new. */
  readonly initialStatus?: string | undefined;
}

/**
 * A recap as one Notion page: facts, summary, decisions, tasks as check boxes by owner, and what is longer in toggles:
 * the other sections and the transcript, where the digest has it. It may be longer than a request. Pure.
 */
export function renderNotionPage(digest: Digest, options: NotionPageOptions = {}): NotionPage {
  const { decisions, taskGroups, sections, transcript = [] } = digest;
  const summary = renderBlocks(digest.summary);
  return {
    kind: 'meeting',
    title: cutText(digest.title, notionLimits.title),
    fields: listMeetingFields(digest, options),
    mapping: options.mapping ?? {},
    blocks: [
      ...renderFacts(digest, options.link),
      heading('heading_2', 'Summary'),
      ...(summary.length === 0 ? renderText('paragraph', makeRuns(noSummaryText)) : summary),
      ...(decisions.length === 0 ? [] : [heading('heading_2', 'Decisions')]),
      ...decisions.flatMap(({ children }) => renderLed('bulleted_list_item', children)),
      ...(taskGroups.length === 0 ? [] : [heading('heading_2', 'Tasks')]),
      ...taskGroups.flatMap(({ owner, tasks }) => [
        heading('heading_3', owner ?? 'No owner'),
        ...tasks.flatMap(renderTask),
      ]),
      ...(sections.length === 0 ? [] : [heading('heading_2', 'Full notes')]),
      ...sections.map(({ title, text }) => toggle(title, renderBlocks(text, 1))),
      ...(options.transcript === false ? [] : renderTranscript(transcript)),
      ...(digest.isCut ? renderText('paragraph', makeRuns(continuesText)) : []),
    ],
  };
}

function renderFacts(digest: Digest, link: string | undefined): NotionBlock[] {
  const facts = [formatMeetingWhen(digest), ...digest.facts].filter((fact) => fact !== undefined).join(' · ');
  const open = link === undefined || !isTakenUrl(link) ? [] : makeRuns('Open the report', undefined, link);
  const gap = facts !== '' && open.length > 0 ? makeRuns('\n') : [];
  const runs = [...makeRuns(facts), ...gap, ...open];
  if (runs.length === 0) return [];
  return [makeBlock('callout', { rich_text: runs, icon: { type: 'emoji', emoji: '🗓️' } })];
}

function renderTask({ text, due }: DigestTask): NotionBlock[] {
  const ending = due === undefined ? '' : ` (due ${due})`;
  return renderLed('to_do', text.children, { checked: false, ending });
}

function heading(type: 'heading_2' | 'heading_3', text: string): NotionBlock {
  return makeBlock(type, { rich_text: makeRuns(text.slice(0, notionLimits.text)) });
}
