import type { BuiltInTemplate, Platform, TagColor } from '@aftermeet/contract';

// What the methods take. The comments are the contract's descriptions; inputs.test.ts compares both, and the types.

/** The known values, offered while one types, and any other text: the service's sets are open. */
export type Suggested<Known extends string> = Known | (string & Record<never, never>);

/** Send a bot to a meeting, now or later: the fields of `recordings.start`. */
export interface StartInput {
  /** The meeting link. */
  readonly link: string;
  /** The meeting platform; an open set. */
  readonly source?: Suggested<Platform> | undefined;
  /** The meeting title. */
  readonly title?: string | undefined;
  /** Planned start, up to three months ahead; the seconds may be left out. */
  readonly localDateTime?: string | undefined;
  /** Recurrence: a cron expression of five fields; observed to be read as UTC. */
  readonly cron?: string | undefined;
  /** The report template: the slug of a built-in one or the UUID of a custom one. */
  readonly templateName?: Suggested<BuiltInTemplate> | undefined;
  /** E-mail addresses of the participants; the service may write to them itself. */
  readonly participants?: readonly string[] | undefined;
  /** Where the service sends the events of this meeting. */
  readonly webhookUrl?: string | undefined;
  /** Signs the events of this meeting. */
  readonly webhookSecret?: string | undefined;
  /** An endpoint of one's own receiver, in place of `webhookUrl` and `webhookSecret`: both come from the option `webhookTargets`. */
  readonly endpoint?: string | undefined;
}

/** Generate a report from a template: the fields of `reports.generate`. */
export interface GenerateInput {
  /** The meeting. */
  readonly meetingId: string;
  /** The report template: the slug of a built-in one or the UUID of a custom one. */
  readonly templateName: Suggested<BuiltInTemplate>;
}

/** Replace the text of one report block: the fields of `reports.editBlock`. */
export interface EditBlockInput {
  /** The meeting. */
  readonly meetingId: string;
  /** The template within the report: the id a generation returned, or one listed in the report. */
  readonly templateId: string;
  /** The block; an open set. */
  readonly entityName: string;
  /** The new text of the block. */
  readonly newSummaryText: string;
}

/** Download a meeting as PDF, DOCX or Markdown: the fields of `exports.download`. */
export interface ExportInput {
  /** The meeting. */
  readonly meetingId: string;
  /** The file format. */
  readonly format: 'pdf' | 'docx' | 'md';
  /** Whether the file holds the report. */
  readonly includeReport?: boolean | undefined;
  /** Whether the file holds the tasks. */
  readonly includeTasks?: boolean | undefined;
  /** The report template: the slug of a built-in one or the UUID of a custom one. */
  readonly templateName?: Suggested<BuiltInTemplate> | undefined;
  /** IANA time-zone name for the times in the file. */
  readonly timezone?: string | undefined;
}

/** Search the meetings of the workspace: the fields of `meetings.search`. */
export interface SearchInput {
  /** Text to find in titles. */
  readonly q?: string | undefined;
  /** Meetings with any of these tags. */
  readonly tagIds?: readonly string[] | undefined;
  /** Meetings of these platforms, such as gmeet and zoom. */
  readonly sources?: readonly Suggested<Platform>[] | undefined;
  /** Meetings of this day or later. */
  readonly dateFrom?: string | undefined;
  /** Meetings of this day or earlier (observed). */
  readonly dateTo?: string | undefined;
  /** Meetings of these authors (observed). */
  readonly authors?: readonly string[] | undefined;
  /** Where to search (observed). */
  readonly scope?: string | undefined;
  /** The page, from 0 (observed). */
  readonly page?: number | undefined;
  /** Meetings on a page; observed to be at most 50 (observed). */
  readonly perPage?: number | undefined;
}

/** Create a tag: the fields of `tags.create`. */
export interface CreateTagInput {
  /** The name; observed to be at most 24 characters and unique. */
  readonly name: string;
  /** The colour; the allowed values are not shown. */
  readonly color?: Suggested<TagColor> | undefined;
}

/** Put a tag on a meeting: the fields of `tags.attach`. */
export interface TagLinkInput {
  /** The meeting. */
  readonly meetingId: string;
  /** The tag. */
  readonly tagId: string;
}

/** Fields of the form beside the file: of `uploads.chunk` those that describe the meeting. */
export interface FormDetails {
  /** The report template: the slug of a built-in one or the UUID of a custom one. */
  readonly templateName?: Suggested<BuiltInTemplate> | undefined;
  /** The meeting title. */
  readonly title?: string | undefined;
  /** Where the service sends the events of this meeting. */
  readonly webhookUrl?: string | undefined;
  /** Signs the events of this meeting (observed). */
  readonly webhookSecret?: string | undefined;
  /** When the meeting took place; the seconds may be left out (observed). */
  readonly localTime?: string | undefined;
  /** How many people speak (observed). */
  readonly speakersNumber?: number | undefined;
}
