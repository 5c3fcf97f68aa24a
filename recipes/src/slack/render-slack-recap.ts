import { formatTask, type Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { continuesText, formatDigest, noSummaryText } from '../text/digest-text.ts';
import { formatWhen } from '../text/format-when.ts';
import { escapeWithin } from './escape-mrkdwn.ts';
import { plainText } from './plain-text.ts';
import { renderHeader } from './render-header.ts';
import { boldLine, TextBudget, toBullets, toRichText } from './rich-text.ts';
import {
  type MarkedText,
  type RichTextLink,
  type RichTextList,
  type RichTextSection,
  type SlackBlock,
  slackLimits,
  type SlackMessage,
} from './slack-message.ts';

/** The 10,000 characters of a message, shared out; what is left is for header, context and closing. */
const shares = { summary: 3400, decisions: 1900, tasks: 2700, item: 500, context: 400 } as const;
const maxOwners = 40;

/**
 * A recap as one Slack message within Slack's limits: header, context, summary, decisions, tasks by
 * owner. What does not fit is announced, with a link where one is configured. Pure.
 */
export function renderSlackRecap(digest: Digest, link?: string): SlackMessage {
  const budgets = {
    summary: new TextBudget(shares.summary),
    decisions: new TextBudget(shares.decisions),
    tasks: new TextBudget(shares.tasks),
  };
  const body: (RichTextSection | RichTextList)[] = [
    boldLine('Summary'),
    ...toRichText(digest.summary || noSummaryText, budgets.summary),
  ];
  if (digest.decisions.length > 0) {
    body.push(boldLine('Decisions'), ...toBullets(digest.decisions, budgets.decisions, shares.item));
  }
  if (digest.taskGroups.length > 0) body.push(boldLine('Tasks'), ...renderTasks(digest, budgets.tasks));
  const isCut = digest.isCut || Object.values(budgets).some((budget) => budget.isExceeded);
  const closing = renderClosing(isCut, link);
  if (closing !== undefined) body.push(closing);
  return {
    text: escapeWithin(formatDigest(digest, link), slackLimits.fallback),
    blocks: [renderHeader(digest.title), ...renderContext(digest), { type: 'rich_text', elements: body }],
  };
}

function renderContext(digest: Digest): SlackBlock[] {
  const when = renderWhen(digest.startedAt);
  const facts = cutText(digest.facts.join(' · '), shares.context);
  const elements = [...(when === undefined ? [] : [when]), ...(facts === '' ? [] : [plainText(facts)])];
  return elements.length === 0 ? [] : [{ type: 'context', elements }];
}

/** Slack shows the time in the zone of whoever reads it; the fallback is UTC. */
function renderWhen(startedAt: string | undefined): MarkedText | undefined {
  const fallback = startedAt === undefined ? undefined : formatWhen(startedAt);
  if (startedAt === undefined || fallback === undefined) return undefined;
  const seconds = Math.floor(Date.parse(startedAt) / 1000);
  return { type: 'mrkdwn', text: `<!date^${seconds}^{date_short_pretty} {time}|${fallback}>` };
}

function renderTasks(digest: Digest, budget: TextBudget): (RichTextSection | RichTextList)[] {
  return budget.takeFirst(digest.taskGroups, maxOwners).flatMap((group) => {
    const owner = budget.take(group.owner ?? 'No owner');
    const bullets = toBullets(group.tasks.map(formatTask), budget, shares.item);
    return owner === '' || bullets.length === 0 ? [] : [boldLine(owner), ...bullets];
  });
}

function renderClosing(isCut: boolean, link: string | undefined): RichTextSection | undefined {
  const more = isCut ? [{ type: 'text' as const, text: `${continuesText} `, style: { italic: true } }] : [];
  const open: RichTextLink[] =
    link === undefined ? [] : [{ type: 'link', url: link, text: 'Open the report' }];
  const elements = [...more, ...open];
  return elements.length === 0 ? undefined : { type: 'rich_text_section', elements };
}
