import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { formatMeetingWhen } from '../text/format-when.ts';
import { escapeMrkdwn } from './escape-mrkdwn.ts';
import { plainText } from './plain-text.ts';
import type { MarkedText, SlackBlock } from './slack-message.ts';

const limits = { facts: 400, tags: 200 } as const;

/** The line under the title: when, how long, who, where, and the tags. */
export function renderContext({ facts, tags, ...start }: Digest): readonly SlackBlock[] {
  const when = renderWhen(start);
  const lines = [
    cutText(facts.join(' · '), limits.facts),
    cutText(tags.slice(0, 20).join(', '), limits.tags),
  ].filter((line) => line.trim() !== '');
  const elements = [...(when === undefined ? [] : [when]), ...lines.map(plainText)];
  return elements.length === 0 ? [] : [{ type: 'context', elements }];
}

/**
 * The time in the zone of whoever reads it (docs.slack.dev, Formatting message text, dates). Where Slack can not tell,
 * as in a notification, it is that of the meeting, else UTC.
 */
function renderWhen(start: Pick<Digest, 'startedAt' | 'startedLocal' | 'utcOffset'>): MarkedText | undefined {
  const seconds = Math.floor(Date.parse(start.startedAt ?? '') / 1000);
  const fallback = formatMeetingWhen(start);
  if (Number.isNaN(seconds) || fallback === undefined) return undefined;
  return {
    type: 'mrkdwn',
    text: `<!date^${String(seconds)}^{date_short_pretty} {time}|${escapeMrkdwn(fallback)}>`,
  };
}
