import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { continuesText } from '../text/digest-text.ts';
import { describeThread } from './describe-thread.ts';
import { plainText } from './plain-text.ts';
import { decisionsFlow, sectionsFlow, splitTasks, summaryFlow, tasksFlow } from './recap-flows.ts';
import { renderContext } from './render-context.ts';
import { renderHeader } from './render-header.ts';
import { textLeaf } from './rich-text-leaves.ts';
import type { FlowPart } from './rich-text.ts';
import { slackLimits, type SlackMessage } from './slack-message.ts';
import { takeFlow } from './take-flow.ts';
import { type Draft, linkButton, writeMessage } from './write-message.ts';

export interface SlackRecapOptions {
  /** Where "Open the report" leads to. */
  readonly link?: string | undefined;
  /** Whether the other sections of the report follow in the thread. Default `all`. */
  readonly sections?: 'all' | 'none';
  /** Whether owners of tasks are mentioned. Default true. */
  readonly mention?: boolean;
  /** How many tasks the message shows; the others follow in the thread. Default: as many as fit. */
  readonly maxTasks?: number;
}

/** The thread is no archive: what is beyond so many replies is in the report. */
export const mostReplies = 8;

/** The characters of the first message, shared out; what is left of them is for title, context and closing. */
const shares = { summary: 3400, decisions: 1900, tasks: 2700 } as const;
/** A reply, but for what it says of itself. */
const replyRoom = { characters: slackLimits.message - 700, elements: slackLimits.elements };

/** The message of a recap that goes to the channel. Pure. */
export function renderSlackRecap(digest: Digest, options: SlackRecapOptions = {}): SlackMessage {
  const [first] = layOutSlackRecap(digest, options);
  return first;
}

/**
 * A recap as one message with title, context, summary, decisions and tasks by owner, and up to eight replies in its
 * thread with what does not fit and the other sections. The last one says where the rest is. Each keeps within Slack's
 * limits. Pure.
 */
export function layOutSlackRecap(
  digest: Digest,
  options: SlackRecapOptions = {},
): readonly [SlackMessage, ...SlackMessage[]] {
  const { link, mention = true, sections = 'all', maxTasks = Number.POSITIVE_INFINITY } = options;
  const [shown, others] = splitTasks(digest.taskGroups, maxTasks);
  const summary = takeShare(summaryFlow(digest), shares.summary);
  const decisions = takeShare(decisionsFlow(digest), shares.decisions);
  const tasks = takeShare(tasksFlow(shown), shares.tasks);
  const left = [...summary.rest, ...decisions.rest, ...tasks.rest];
  const follows = [
    ...left,
    ...nameMore(tasksFlow(others)),
    ...(sections === 'all' ? sectionsFlow(digest) : []),
  ];
  const { pages, isWhole } = paginate(follows);
  const isCut = left.length > 0;
  const isComplete = isWhole && !digest.isCut;
  const first = writeMessage([
    renderHeader(digest.title),
    ...renderContext(digest),
    { flow: summary.kept },
    { flow: decisions.kept },
    { flow: tasks.kept, isMentioning: mention },
    ...noteDraft(pages.length > 0 ? describeThread(pages, isCut) : isComplete ? undefined : continuesText),
    ...linkButton(link, 'Open the report', `Open the report of ${digest.title}`),
  ]);
  const replies = pages.map((flow, at) => ({
    ...writeMessage([
      { flow },
      ...(at < pages.length - 1 || isComplete ? [] : noteDraft('The rest is in the report.', link)),
      pageNumber(at + 1, pages.length, digest.title),
    ]),
    reply: at + 1,
  }));
  return [{ ...first, replies }, ...replies];
}

function takeShare(flow: readonly FlowPart[], characters: number): ReturnType<typeof takeFlow> {
  return takeFlow(flow, { characters, elements: slackLimits.elements / 3 });
}

/** The tasks that the message was not to show stand under a heading of their own. */
function nameMore([heading, ...tasks]: readonly FlowPart[]): readonly FlowPart[] {
  if (heading === undefined) return [];
  const elements = [textLeaf('More tasks', { bold: true })];
  return [{ ...heading, part: { type: 'rich_text_section', elements } }, ...tasks];
}

function paginate(flow: readonly FlowPart[]): {
  readonly pages: readonly (readonly FlowPart[])[];
  readonly isWhole: boolean;
} {
  const pages: (readonly FlowPart[])[] = [];
  let rest = flow;
  while (rest.length > 0 && pages.length < mostReplies) {
    const page = takeFlow(rest, replyRoom);
    pages.push(page.kept);
    ({ rest } = page);
  }
  return { pages, isWhole: rest.length === 0 };
}

function noteDraft(note: string | undefined, link?: string): readonly Draft[] {
  if (note === undefined) return [];
  const words = textLeaf(link === undefined ? note : `${note} `, { italic: true });
  const open = link === undefined ? [] : [{ type: 'link', url: link, text: 'Open the report' } as const];
  return [{ flow: [{ part: { type: 'rich_text_section', elements: [words, ...open] } }] }];
}

function pageNumber(page: number, count: number, title: string): Draft {
  const place = count === 1 ? '' : ` · reply ${String(page)} of ${String(count)}`;
  return { type: 'context', elements: [plainText(`${cutText(title, slackLimits.header)}${place}`)] };
}
