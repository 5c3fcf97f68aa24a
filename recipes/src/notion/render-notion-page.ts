import { formatTask, type Digest } from '../digest.ts';
import { cutText, splitText } from '../text/cut-text.ts';
import { continuesText, noSummaryText } from '../text/digest-text.ts';
import { formatWhen } from '../text/format-when.ts';
import { type NotionBlock, notionLimits, type NotionPage, type NotionText } from './notion-page.ts';

/**
 * A recap as one Notion page of at most 100 blocks: facts, summary, decisions, tasks as check boxes
 * by owner. What does not fit is announced in the last block. Pure.
 */
export function renderNotionPage(digest: Digest, link?: string): NotionPage {
  const when = digest.startedAt === undefined ? undefined : formatWhen(digest.startedAt);
  const facts = [when, ...digest.facts].filter((fact) => fact !== undefined).join(' · ');
  const body = [
    ...(facts === '' ? [] : [paragraph(facts)]),
    heading('Summary'),
    ...renderSummary(digest.summary || noSummaryText),
    ...(digest.decisions.length > 0 ? [heading('Decisions'), ...digest.decisions.map(bullet)] : []),
    ...(digest.taskGroups.length > 0 ? [heading('Tasks'), ...renderTasks(digest)] : []),
  ];
  const ending = link === undefined ? [] : [paragraphOf([{ type: 'text', text: linkText(link) }])];
  return {
    title: cutText(digest.title, notionLimits.title),
    meetingId: digest.meetingId,
    ...(digest.startedAt === undefined ? {} : { startedAt: digest.startedAt }),
    blocks: fitBlocks(body, ending, digest.isCut),
  };
}

function fitBlocks(body: NotionBlock[], ending: NotionBlock[], isCut: boolean): NotionBlock[] {
  const room = notionLimits.blocks - ending.length;
  if (body.length <= room && !isCut) return [...body, ...ending];
  return [...body.slice(0, room - 1), paragraph(continuesText), ...ending];
}

function renderSummary(summary: string): NotionBlock[] {
  const lines = summary.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const item = /^ *• (.+)$/.exec(line);
    return item === null ? paragraph(line) : bullet(item[1] ?? '');
  });
}

function renderTasks(digest: Digest): NotionBlock[] {
  return digest.taskGroups.flatMap((group) => [
    {
      type: 'heading_3' as const,
      heading_3: { rich_text: toRuns(group.owner ?? 'No owner') },
    },
    ...group.tasks.map((task) => ({
      type: 'to_do' as const,
      to_do: { rich_text: toRuns(formatTask(task)), checked: false },
    })),
  ]);
}

function linkText(link: string): NotionText['text'] {
  return { content: 'Open the report', link: { url: link } };
}

function heading(text: string): NotionBlock {
  return { type: 'heading_2', heading_2: { rich_text: toRuns(text) } };
}

function bullet(text: string): NotionBlock {
  return { type: 'bulleted_list_item', bulleted_list_item: { rich_text: toRuns(text) } };
}

function paragraph(text: string): NotionBlock {
  return paragraphOf(toRuns(text));
}

function paragraphOf(runs: NotionText[]): NotionBlock {
  return { type: 'paragraph', paragraph: { rich_text: runs } };
}

/** Text as runs of at most 2,000 characters each. */
function toRuns(text: string): NotionText[] {
  const room = notionLimits.text * notionLimits.textRuns;
  return splitText(cutText(text, room), notionLimits.text).map((content) => ({
    type: 'text',
    text: { content },
  }));
}
