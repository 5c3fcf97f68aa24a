/** One message: its blocks, and the same as text for notifications and screen readers. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  /** Shown in place of `blocks`: Block Kit that a recipe of one's own has made. */
  readonly ownBlocks?: readonly OwnSlackBlock[];
  readonly mentions?: readonly SlackMention[];
  /** The recipient of a direct message. Absent: the message goes to the target of its effect. */
  readonly person?: SlackPerson;
  /** Written anew at sending, without the shares of people who get a direct message. */
  readonly shared?: SharedMessage;
  /** The message is this file. */
  readonly file?: SlackFile;
  /** The replies in its thread, in order. */
  readonly replies?: readonly SlackMessage[];
  /** Position among the replies, from 1. */
  readonly reply?: number;
}

/** A part of a rich_text block, before the text is split into messages. */
export interface FlowPart {
  readonly part: RichTextPart;
  /** Set on a heading: of the message (1), of a task owner (2), inside the text (3). */
  readonly level?: 1 | 2 | 3;
  /** On a heading that is a person's name: whom to mention. */
  readonly mention?: SlackMentioned | undefined;
}

/** A member by their id, or by an address that is looked up. */
interface SlackMentioned {
  readonly userId?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * A name that becomes a mention if it belongs to a member of the workspace: one whole section of one rich_text
 * block. Otherwise it stays a name in bold.
 */
export interface SlackMention extends SlackMentioned {
  readonly block: number;
  readonly element: number;
}

/** The person a message is for. */
export interface SlackPerson {
  /** Absent: the address is looked up. */
  readonly userId?: string;
  readonly email?: string;
  /** A shared message in a channel tells what this person can't be told directly. */
  readonly hasFallback?: boolean;
}

/** A message of one share for each person. */
export interface SharedMessage {
  readonly head: readonly SlackBlock[];
  readonly shares: readonly SlackShare[];
  readonly tail: readonly SlackBlock[];
  /** Characters that the blocks of tasks in the head take from the shares. */
  readonly taken?: number;
}

export interface SlackShare {
  /** Absent: the share is always in the message. */
  readonly person?: SlackPerson | undefined;
  readonly flow: readonly FlowPart[];
}

/** The export of a meeting as a file. */
export interface SlackFile {
  readonly meetingId: string;
  readonly format: 'pdf' | 'docx' | 'md';
  /** File name without extension. */
  readonly name: string;
  /** Hash of the report: a changed report is another file. */
  readonly version: string;
}

/** Any block of Block Kit. */
type OwnSlackBlock = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The blocks of Block Kit that we use. Text in rich_text is literal: it holds no markup and no mentions. */
export type SlackBlock =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'context'; readonly elements: (PlainText | MrkdwnText)[] }
  | { readonly type: 'rich_text'; readonly elements: RichTextPart[] }
  | { readonly type: 'actions'; readonly elements: LinkButton[] }
  | SlackTaskBlock;

/** A task in plain text, with a button that says it is done. */
export type SlackTaskBlock = {
  readonly type: 'section';
  readonly text: PlainText;
  readonly accessory: {
    readonly type: 'button';
    readonly action_id: string;
    readonly text: PlainText;
    readonly value: string;
  };
};

export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

export interface MrkdwnText {
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

export type RichTextPart =
  | RichTextSection
  | RichTextList
  | { readonly type: 'rich_text_quote'; readonly elements: RichTextLeaf[] }
  | { readonly type: 'rich_text_preformatted'; readonly elements: RichTextText[] };

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

export type RichTextLeaf =
  | RichTextText
  | { readonly type: 'link'; readonly url: string; readonly text: string; readonly style?: RichTextStyle }
  /** A mention: Slack notifies the member. */
  | { readonly type: 'user'; readonly user_id: string };

interface RichTextText {
  readonly type: 'text';
  readonly text: string;
  readonly style?: RichTextStyle;
}

export interface RichTextStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
}

/**
 * Slack's limits in characters (docs.slack.dev, Block Kit reference), and the most elements of a message. `message` stays
 * below an undocumented limit: Slack answers `msg_blocks_too_long` from 10,000 characters on. `fallback` holds all the
 * text of a message; Slack cuts it at 40,000.
 */
export const slackLimits = {
  header: 150,
  fallback: 20_000,
  button: 75,
  url: 3000,
  message: 9000,
  elements: 600,
} as const;

/** Id of a channel, a direct message or a private group. A name such as `#general` does not match. */
export const slackChannelId = /^[CDG][A-Z0-9]{2,}$/;

/** Id of a member of a workspace. */
export const slackMemberId = /^[UW][A-Z0-9]{2,}$/;

/** Type of the metadata of every message we post; the payload holds the key of the effect. */
export const effectEventType = 'aftermeet_effect';

export interface SlackPlace {
  readonly channel: string;
  readonly ts: string;
}

/** Where a message is, as the ledger stores it: `C0123456789/1795000000.000100`. A file has its id in place of the time. */
export function formatReference(channel: string, ts: string): string {
  return `${channel}/${ts}`;
}

/** The id of a file; undefined if the text is not a reference to a file. */
export function parseFileReference(reference: string): string | undefined {
  return /^[A-Z0-9]{1,40}\/(F[A-Z0-9]{2,40})$/.exec(reference)?.[1];
}

/** Undefined if the text is not a reference to a message. */
export function parseReference(reference: string): SlackPlace | undefined {
  const [, channel, ts] = /^([A-Z0-9]{1,40})\/(\d{1,12}\.\d{1,6})$/.exec(reference) ?? [];
  return channel === undefined || ts === undefined ? undefined : { channel, ts };
}
