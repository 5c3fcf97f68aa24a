import type { AlertText } from '../alert-text.ts';
import { cutText } from '../text/cut-text.ts';
import { plainText } from './plain-text.ts';
import { renderHeader } from './render-header.ts';
import { textLeaf } from './rich-text-leaves.ts';
import { type FlowPart, headingPart } from './rich-text.ts';
import type { SlackMessage } from './slack-message.ts';
import { linkButton, writeMessage } from './write-message.ts';

const room = { explanation: 1000, detail: 1500 } as const;

/** An alert as one Slack message: what went wrong, why, and what to do. `suppressed`: how many were kept back. Pure. */
export function renderSlackAlert(
  { headline, explanation, reason, advice, ids }: AlertText,
  { link, suppressed = 0 }: { readonly link?: string | undefined; readonly suppressed?: number } = {},
): SlackMessage {
  return writeMessage([
    renderHeader(headline),
    {
      flow: [
        line(explanation, room.explanation),
        ...detail('Reason', reason),
        ...detail('What to do', advice),
        ...(suppressed > 0 ? [line(countSuppressed(suppressed), room.explanation)] : []),
      ],
    },
    ...linkButton(link, 'Open the meeting', `Open the meeting of: ${headline}`),
    { type: 'context', elements: [plainText(ids)] },
  ]);
}

function detail(name: string, text: string | undefined): readonly FlowPart[] {
  return text === undefined || text.trim() === '' ? [] : [headingPart(name, 3), line(text, room.detail)];
}

function line(text: string, most: number): FlowPart {
  const elements = [textLeaf(`${cutText(text.trim(), most)}\n`)];
  return { part: { type: 'rich_text_section', elements } };
}

function countSuppressed(count: number): string {
  return `And ${String(count)} more of this kind since the last alert.`;
}
