import { arrangeDigest, type MessagePart, type PartName } from '../../report/arrange.ts';
import { cutText, dropInvisible } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatTimeCode } from '../../report/format-when.ts';
import { namePlatform } from '../../report/people.ts';
import { writeFacts } from '../../report/plain-digest.ts';
import { plainText } from '../../report/plain-text.ts';
import { strikeBlocks } from '../../report/show-task.ts';
import type { DigestTask } from '../../report/tasks.ts';
import type { SpokenTurn, TranscriptChapter } from '../../report/transcript.ts';
import type { Words } from '../../words/en.ts';
import { type Look, plainLook } from '../../words/index.ts';
import { localizeDigest } from '../../words/localize-digest.ts';
import { renderBlocks, renderItem, renderText } from './blocks.ts';
import {
  type FieldValues,
  makeBlock,
  type NotionBlock,
  notionLimits,
  type NotionPage,
  type PropertyMapping,
} from './page.ts';
import { isLinkUrl, makeRuns } from './rich-text.ts';

export interface NotionPageOptions {
  /** Where "Open the report" leads. */
  readonly link?: string | undefined;
  /** False: without the transcript, even if the digest has it. */
  readonly transcript?: boolean | undefined;
  readonly mapping?: PropertyMapping | undefined;
  /** The status of a new page. */
  readonly initialStatus?: string | undefined;
  /** Which parts, in which order. Default: all. */
  readonly parts?: readonly PartName[] | undefined;
  readonly look?: Look | undefined;
}

/**
 * A recap as one page: facts, summary, decisions, tasks as check boxes by owner, and in toggles the other sections and the
 * transcript. It may need several requests. Pure.
 */
export function renderNotionPage(given: Digest, options: NotionPageOptions = {}): NotionPage {
  const { look = plainLook } = options;
  const { words } = look;
  const digest = localizeDigest(given, words);
  const { transcript = [] } = digest;
  const { outcome, parts } = arrangeDigest(digest, words, { parts: options.parts });
  return {
    kind: 'meeting',
    title: cutText(digest.title, notionLimits.title),
    fields: meetingFields(digest, options),
    mapping: options.mapping ?? {},
    blocks: [
      ...(outcome === undefined ? [] : renderBlocks(outcome)),
      ...renderFacts(digest, look, options.link),
      ...parts.flatMap((part) => renderPart(part, words)),
      ...(options.transcript === false ? [] : renderTranscript(transcript, words)),
      ...(digest.isCut ? renderText('paragraph', makeRuns(words.continuesInReport)) : []),
    ],
  };
}

function renderPart(part: MessagePart, words: Words): readonly NotionBlock[] {
  switch (part.kind) {
    case 'summary':
      return [heading('heading_2', part.title), ...renderBlocks(part.text)];
    case 'decisions':
      return [
        heading('heading_2', part.title),
        ...part.decisions.flatMap(({ children }) => renderItem('bulleted_list_item', children)),
      ];
    case 'tasks':
      return [
        heading('heading_2', part.title),
        ...part.groups.flatMap(({ owner, tasks }) => [
          heading('heading_3', owner ?? words.noOwner),
          ...tasks.flatMap((task) => renderTask(task, words)),
        ]),
      ];
    case 'more':
    default:
      return [
        heading('heading_2', words.fullNotes),
        ...part.sections.map(({ title, text }) => toggle(title, renderBlocks(text, 1))),
      ];
  }
}

/** The facts of a meeting for the properties of its page; unknown ones are left out. */
function meetingFields(digest: Digest, { link, initialStatus }: NotionPageOptions): FieldValues {
  const { durationSeconds, source, people, tags, templates, meetingId } = digest;
  const summary = plainText(digest.summary);
  return {
    ...dateField(digest),
    // In minutes.
    ...(durationSeconds === undefined || durationSeconds < 0
      ? {}
      : { duration: { kind: 'number', number: Math.round(durationSeconds / 60) } }),
    ...(source === undefined ? {} : { source: { kind: 'text', text: namePlatform(source) } }),
    ...(people.length === 0 ? {} : { participants: { kind: 'names', names: people } }),
    ...(tags.length === 0 ? {} : { tags: { kind: 'names', names: tags } }),
    ...(templates[0] === undefined ? {} : { template: { kind: 'text', text: templates[0].name } }),
    ...(summary === '' ? {} : { summary: { kind: 'text', text: cutText(summary, notionLimits.text) } }),
    meetingId: { kind: 'text', text: dropInvisible(meetingId) },
    ...(link === undefined || !isLinkUrl(link) ? {} : { reportUrl: { kind: 'url', url: link } }),
    ...(initialStatus === undefined ? {} : { status: { kind: 'text', text: initialStatus } }),
  };
}

function dateField({ startedAt = '', durationSeconds = 0 }: Digest): FieldValues {
  const startMs = Date.parse(startedAt);
  if (Number.isNaN(startMs)) return {};
  const end = new Date(startMs + Math.round(durationSeconds) * 1000);
  const hasEnd = durationSeconds > 0 && !Number.isNaN(end.getTime());
  const start = new Date(startMs).toISOString();
  return { date: { kind: 'date', start, ...(hasEnd ? { end: end.toISOString() } : {}), words: start } };
}

function renderFacts(digest: Digest, look: Look, link: string | undefined): NotionBlock[] {
  const facts = writeFacts(digest, look);
  const open = link === undefined || !isLinkUrl(link) ? [] : makeRuns(look.words.openReport, undefined, link);
  const gap = facts !== '' && open.length > 0 ? makeRuns('\n') : [];
  const runs = [...makeRuns(facts), ...gap, ...open];
  if (runs.length === 0) return [];
  return [makeBlock('callout', { rich_text: runs, icon: { type: 'emoji', emoji: '🗓️' } })];
}

function renderTask({ text, state, due }: DigestTask, words: Words): NotionBlock[] {
  return renderItem('to_do', state === 'cancelled' ? strikeBlocks(text.children) : text.children, {
    checked: state !== undefined,
    suffix: due === undefined ? '' : words.due(words.day(due)),
  });
}

function heading(type: 'heading_2' | 'heading_3', text: string): NotionBlock {
  return makeBlock(type, { rich_text: makeRuns(text.slice(0, notionLimits.text)) });
}

function toggle(title: string, children: readonly NotionBlock[]): NotionBlock {
  const rich_text = makeRuns(title.slice(0, notionLimits.text));
  return makeBlock('toggle', { rich_text, ...(children.length === 0 ? {} : { children }) });
}

/**
 * The transcript as one toggle with a toggle for each chapter, so that one request takes a thousand blocks. A chapter of
 * more than a hundred turns continues in the next toggle. Without chapters, toggles are named by their time.
 */
function renderTranscript(chapters: readonly TranscriptChapter[], words: Words): NotionBlock[] {
  const parts = chapters.flatMap((chapter) => splitChapter(chapter, words));
  const [only] = parts;
  if (only === undefined) return [];
  const isPlain = parts.length === 1 && chapters.length === 1 && chapters[0]?.name === undefined;
  const children = isPlain ? only.blocks : parts.map(({ title, blocks }) => toggle(title, blocks));
  return [toggle(words.transcript, children)];
}

interface ChapterPart {
  readonly title: string;
  readonly blocks: readonly NotionBlock[];
}

function splitChapter(
  { name, startSeconds, turns }: TranscriptChapter,
  words: Words,
): readonly ChapterPart[] {
  const parts: { first: SpokenTurn; blocks: NotionBlock[] }[] = [];
  for (const turn of turns) {
    const blocks = renderTurn(turn);
    const last = parts.at(-1);
    if (last !== undefined && last.blocks.length + blocks.length <= notionLimits.items)
      last.blocks.push(...blocks);
    else parts.push({ first: turn, blocks });
  }
  return parts.map(({ first, blocks }, index) => {
    const at = formatTimeCode((index === 0 ? startSeconds : undefined) ?? first.startSeconds);
    const label = name === undefined ? words.part(index + 1) : index === 0 ? name : words.continued(name);
    return {
      title: at === undefined ? label : `${at} ${name === undefined ? '' : label}`.trim(),
      blocks,
    };
  });
}

const bold = { bold: true } as const;
const gray = { color: 'gray' } as const;

function renderTurn({ speaker = '', text, startSeconds }: SpokenTurn): NotionBlock[] {
  const at = formatTimeCode(startSeconds);
  const when = at === undefined ? '' : `${speaker === '' ? '' : ' '}${at}`;
  const said = speaker === '' && when === '' ? text : `\n${text}`;
  // `concat`: with thousands of turns, spreading the lists costs several times as much.
  const runs = makeRuns(speaker, bold).concat(makeRuns(when, gray), makeRuns(said));
  return renderText('paragraph', runs);
}
