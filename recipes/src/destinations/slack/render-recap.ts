import { arrangeDigest, type MessagePart, partNames, type PartName } from '../../report/arrange.ts';
import { cutText } from '../../report/clean-text.ts';
import type { Digest } from '../../report/digest.ts';
import { formatTimeCode } from '../../report/format-when.ts';
import { showTask } from '../../report/show-task.ts';
import type { DigestTask, TaskGroup } from '../../report/tasks.ts';
import type { TextTree } from '../../report/text-tree.ts';
import type { Words } from '../../words/en.ts';
import { type Look, plainLook } from '../../words/index.ts';
import { localizeDigest } from '../../words/localize-digest.ts';
import {
  type UnsplitBlock,
  composeMessage,
  contextBlocks,
  headerBlock,
  linkButton,
  plainText,
} from './blocks.ts';
import { type RichTextLeaf, slackLimits, type SlackMessage, type FlowPart } from './message.ts';
import { flattenBlocks, headingPart, textLeaf, toBullets, toRichText } from './rich-text.ts';
import { headingText, splitFlow } from './split-flow.ts';

export interface SlackRecapOptions {
  /** Where "Open the report" leads. */
  readonly link?: string | undefined;
  /** Which parts, in which order; `more` is always in the thread. Default: all. */
  readonly parts?: readonly PartName[] | undefined;
  /** Whether owners of tasks are mentioned. Default true. */
  readonly mention?: boolean;
  /** Most tasks in the first message; the others follow in the thread. Default: as many as fit. */
  readonly maxTasks?: number;
  readonly look?: Look;
}

/** The thread is not an archive: the text beyond this many replies is only in the report. */
export const maxReplies = 8;

/** Characters of the parts of the first message; the remaining ones are for title, outcome, context and closing. */
const shares = { summary: 3100, decisions: 1900, tasks: 2700 } as const;
/** A reply without its closing lines. */
const replyRoom = { characters: slackLimits.message - 700, elements: slackLimits.elements };
const textLimits = { owner: 100, due: 60, section: 150, thread: 100 } as const;

/**
 * A recap as one message with title, context, summary, decisions and tasks by owner, and up to eight replies in its
 * thread: what does not fit, and the other sections. The last reply says where the rest is. Each message keeps within
 * Slack's limits. Pure.
 */
export function renderSlackRecap(
  given: Digest,
  options: SlackRecapOptions = {},
): readonly [SlackMessage, ...SlackMessage[]] {
  const { link, mention = true, parts: wanted = partNames, maxTasks = Number.POSITIVE_INFINITY } = options;
  const { look = plainLook } = options;
  const { words } = look;
  const digest = localizeDigest(given, words);
  const [shown, others] = splitTasks(digest.taskGroups, maxTasks);
  const { outcome, parts } = arrangeDigest({ ...digest, taskGroups: shown }, words, { parts: wanted });
  const flows = parts.filter(isInMessage).map((part) => ({
    ...takeShare(partFlow(part, words), shares[part.kind]),
    hasMentions: part.kind === 'tasks' && mention,
  }));
  const left = flows.flatMap(({ rest }) => rest);
  const { pages, isWhole } = paginate([
    ...left,
    ...(wanted.includes('tasks') ? tasksFlow(others, words.moreTasks, words) : []),
    ...parts.flatMap((part) => (part.kind === 'more' ? sectionsFlow(part.sections, words) : [])),
  ]);
  const isComplete = isWhole && !digest.isCut;
  const note =
    pages.length > 0
      ? describeThread(pages, left.length > 0, words)
      : isComplete
        ? undefined
        : words.continuesInReport;
  const first = composeMessage([
    headerBlock(digest.title),
    ...(outcome === undefined ? [] : [{ flow: outcomeFlow(outcome) }]),
    ...contextBlocks(digest, look),
    ...flows.map(({ fitting, hasMentions }) => ({ flow: fitting, hasMentions })),
    ...noteBlocks(note, words),
    ...linkButton(link, words.openReport, words.openReportOf(digest.title)),
  ]);
  const replies = pages.map((flow, at) => ({
    ...composeMessage([
      { flow },
      ...(at < pages.length - 1 || isComplete ? [] : noteBlocks(words.restInReport, words, link)),
      replyFooter(at + 1, pages.length, digest.title, words),
    ]),
    reply: at + 1,
  }));
  return [{ ...first, replies }, ...replies];
}

/** One task in one line: what, until when, and with `withTime` where in the recording it was said. */
export function taskLine(task: DigestTask, words: Words, withTime = false): readonly RichTextLeaf[] {
  const due = cutText((task.due ?? task.dueDate ?? '').trim(), textLimits.due);
  const at = withTime ? formatTimeCode(task.atSeconds) : undefined;
  return [
    ...flattenBlocks(showTask(task).children),
    ...(due === '' ? [] : [textLeaf(words.due(words.day(due)))]),
    ...(at === undefined ? [] : [textLeaf(words.saidAt(at))]),
  ];
}

/** The first `count` tasks and the others. */
function splitTasks(
  groups: readonly TaskGroup[],
  count: number,
): readonly [readonly TaskGroup[], readonly TaskGroup[]] {
  let left = count;
  const shown: TaskGroup[] = [];
  const others: TaskGroup[] = [];
  for (const group of groups) {
    const taken = group.tasks.slice(0, left);
    left -= taken.length;
    if (taken.length > 0) shown.push({ ...group, tasks: taken });
    if (taken.length < group.tasks.length) others.push({ ...group, tasks: group.tasks.slice(taken.length) });
  }
  return [shown, others];
}

function outcomeFlow({ children }: TextTree): readonly FlowPart[] {
  return [{ part: { type: 'rich_text_section', elements: flattenBlocks(children) } }];
}

type PartInMessage = Exclude<MessagePart, { readonly kind: 'more' }>;

function isInMessage(part: MessagePart): part is PartInMessage {
  return part.kind !== 'more';
}

function partFlow(part: PartInMessage, words: Words): readonly FlowPart[] {
  switch (part.kind) {
    case 'summary':
      return [headingPart(part.title, 1), ...toRichText(part.text)];
    case 'decisions': {
      const bullets = toBullets(part.decisions.map(({ children }) => flattenBlocks(children)));
      return bullets.length === 0 ? [] : [headingPart(part.title, 1), ...bullets];
    }
    case 'tasks':
    default:
      return tasksFlow(part.groups, part.title, words);
  }
}

function tasksFlow(groups: readonly TaskGroup[], title: string, words: Words): readonly FlowPart[] {
  const parts = groups.flatMap((group) => ownerFlow(group, words));
  return parts.length === 0 ? [] : [headingPart(title, 1), ...parts];
}

function ownerFlow({ owner, email, slack, tasks }: TaskGroup, words: Words): readonly FlowPart[] {
  const bullets = toBullets(tasks.map((task) => taskLine(task, words)));
  if (bullets.length === 0) return [];
  const name = cutText(owner?.trim() ?? '', textLimits.owner);
  const heading = headingPart(name === '' ? words.noOwner : name, 2);
  const isKnown = name !== '' && (email !== undefined || slack !== undefined);
  return [isKnown ? { ...heading, mention: { userId: slack, email } } : heading, ...bullets];
}

function sectionsFlow(sections: Digest['sections'], words: Words): readonly FlowPart[] {
  return sections.flatMap(({ title, text }) => {
    const parts = toRichText(text);
    const name = cutText(title.trim(), textLimits.section);
    return parts.length === 0 ? [] : [headingPart(name === '' ? words.more : name, 1), ...parts];
  });
}

function takeShare(flow: readonly FlowPart[], characters: number): ReturnType<typeof splitFlow> {
  return splitFlow(flow, { characters, elements: slackLimits.elements / 3 });
}

function paginate(flow: readonly FlowPart[]): {
  readonly pages: readonly (readonly FlowPart[])[];
  readonly isWhole: boolean;
} {
  const pages: (readonly FlowPart[])[] = [];
  let rest = flow;
  while (rest.length > 0 && pages.length < maxReplies) {
    const page = splitFlow(rest, replyRoom);
    pages.push(page.fitting);
    ({ rest } = page);
  }
  return { pages, isWhole: rest.length === 0 };
}

/** What the first message says about its thread: that its text continues there, or the titles found there. */
function describeThread(pages: readonly (readonly FlowPart[])[], isCut: boolean, words: Words): string {
  const headings = pages.flat().filter(({ level }) => level === 1);
  const titles = [...new Set(headings.map(headingText))];
  const [first] = titles;
  if (isCut || first === undefined) return words.continuesInThread;
  let shown = cutText(first, textLimits.thread);
  for (const title of titles.slice(1)) {
    const next = `${shown}${words.separator}${title}`;
    if (next.length > textLimits.thread) return words.inThreadAndMore(shown);
    shown = next;
  }
  return words.inThread(shown);
}

function noteBlocks(note: string | undefined, words: Words, link?: string): readonly UnsplitBlock[] {
  if (note === undefined) return [];
  const text = textLeaf(link === undefined ? note : `${note} `, { italic: true });
  const open = link === undefined ? [] : [{ type: 'link', url: link, text: words.openReport } as const];
  return [{ flow: [{ part: { type: 'rich_text_section', elements: [text, ...open] } }] }];
}

function replyFooter(reply: number, count: number, title: string, words: Words): UnsplitBlock {
  const position = count === 1 ? '' : ` · ${words.replyOf(reply, count)}`;
  return { type: 'context', elements: [plainText(`${cutText(title, slackLimits.header)}${position}`)] };
}
