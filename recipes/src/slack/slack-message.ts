/** The parts of Block Kit that we use. rich_text shows text as it is: no markup, no mentions. */
export interface RichTextStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
}

interface RichTextText {
  readonly type: 'text';
  readonly text: string;
  readonly style?: RichTextStyle;
}

interface RichTextLink {
  readonly type: 'link';
  readonly url: string;
  readonly text: string;
  readonly style?: RichTextStyle;
}

/** Somebody of the workspace, who is told that they are named. */
interface RichTextUser {
  readonly type: 'user';
  readonly user_id: string;
}

/** What a line of rich text is made of. */
export type RichTextLeaf = RichTextText | RichTextLink | RichTextUser;

export interface RichTextSection {
  readonly type: 'rich_text_section';
  readonly elements: RichTextLeaf[];
}

export interface RichTextList {
  readonly type: 'rich_text_list';
  readonly style: 'bullet' | 'ordered';
  readonly indent: number;
  readonly elements: RichTextSection[];
}

interface RichTextQuote {
  readonly type: 'rich_text_quote';
  readonly elements: RichTextLeaf[];
}

interface RichTextPreformatted {
  readonly type: 'rich_text_preformatted';
  readonly elements: RichTextText[];
}

export type RichTextPart = RichTextSection | RichTextList | RichTextQuote | RichTextPreformatted;

export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

export interface MarkedText {
  readonly type: 'mrkdwn';
  readonly text: string;
}

interface LinkButton {
  readonly type: 'button';
  readonly text: PlainText;
  readonly url: string;
  readonly action_id: string;
  readonly accessibility_label: string;
}

export type SlackBlock =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'context'; readonly elements: (PlainText | MarkedText)[] }
  | { readonly type: 'rich_text'; readonly elements: RichTextPart[] }
  | { readonly type: 'actions'; readonly elements: LinkButton[] };

/**
 * A name in a message that becomes a mention where the address belongs to somebody of the workspace: the whole of one
 * section of one rich_text block. Until then, and else, it is a name in bold.
 */
export interface SlackMention {
  readonly block: number;
  readonly element: number;
  readonly email: string;
}

/** The one person that a message is for. */
export interface SlackPerson {
  /** Known beforehand; else the address is looked up. */
  readonly userId?: string;
  readonly email?: string;
  /** Where to post, and what, when the person is not found in the workspace; absent: nowhere. */
  readonly otherwise?: { readonly channel: string; readonly message: SlackMessage };
}

/** The export of a meeting as a file. */
export interface SlackFile {
  readonly meetingId: string;
  readonly format: 'pdf' | 'docx' | 'md';
  /** What the file is called, without its ending. */
  readonly name: string;
  /** Changes with the report: what is another edition is another file. */
  readonly edition: string;
}

/** One message: its blocks, and the same in words for notifications and screen readers. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  readonly mentions?: readonly SlackMention[];
  /** Absent: the effect's target says where it goes. */
  readonly person?: SlackPerson;
  /** The message is this file. */
  readonly file?: SlackFile;
  /** The replies that belong to it, in their order. */
  readonly replies?: readonly SlackMessage[];
  /** Which of the replies it is, from 1. */
  readonly reply?: number;
}

/**
 * Slack's limits (docs.slack.dev, Block Kit reference). A whole message has one more that is not documented:
 * `msg_blocks_too_long` at 10,000 characters and more, which `message` keeps away from. `fallback` holds all that a
 * message shows; Slack cuts it at 40,000.
 */
export const slackLimits = {
  header: 150,
  fallback: 20_000,
  button: 75,
  url: 3000,
  message: 9000,
  elements: 600,
} as const;
