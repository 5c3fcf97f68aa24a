/** The parts of Block Kit that we use. rich_text shows text as it is: no markup, no mentions. */
interface RichTextElement {
  readonly type: 'text';
  readonly text: string;
  readonly style?: { readonly bold?: boolean; readonly italic?: boolean };
}

export interface RichTextLink {
  readonly type: 'link';
  readonly url: string;
  readonly text: string;
}

export interface RichTextSection {
  readonly type: 'rich_text_section';
  readonly elements: (RichTextElement | RichTextLink)[];
}

export interface RichTextList {
  readonly type: 'rich_text_list';
  readonly style: 'bullet';
  readonly indent: number;
  readonly elements: RichTextSection[];
}

export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

export interface MarkedText {
  readonly type: 'mrkdwn';
  readonly text: string;
}

export type SlackBlock =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'context'; readonly elements: (PlainText | MarkedText)[] }
  | { readonly type: 'rich_text'; readonly elements: (RichTextSection | RichTextList)[] };

/** One message: its blocks, and the same in words for notifications and screen readers. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/**
 * Slack's limits (docs.slack.dev, Block Kit reference). A whole message has one more that is not
 * documented: `msg_blocks_too_long` at 10,000 characters and more.
 */
export const slackLimits = { header: 150, fallback: 4000 } as const;
