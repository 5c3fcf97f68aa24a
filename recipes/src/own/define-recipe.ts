import type { z } from 'zod';

import type { PeopleDirectory } from '../report/people-directory.ts';
import type { MeetingReport } from './meeting-report.ts';

/** What happened. */
export interface RecipeEvent {
  /** `meeting.completed` or `meeting.failed`. */
  readonly kind: string;
  readonly meetingId: string;
  /** The service's time of the event: ISO 8601. */
  readonly occurredAt: string;
  /** The endpoint that the delivery came to. */
  readonly endpoint: string;
  /** Why a meeting failed, in the service's words. */
  readonly reason?: string;
}

/** What `run` gets. */
export interface RecipeContext<Options> {
  readonly event: RecipeEvent;
  /** Of a failed meeting it holds the title alone. */
  readonly report: MeetingReport;
  /** The values of `with` in `aftermeet.yaml`, checked and with their defaults. */
  readonly options: Options;
  /** Who people are, as `people` in `aftermeet.yaml` says: `people.find({ name: 'Ann Lee' })?.slack`. */
  readonly people: Pick<PeopleDirectory, 'find'>;
  /** Aborts when the recipe takes too long. */
  readonly signal: AbortSignal;
}

/** A recipe of one's own: the default export of a module that `use:` names in `aftermeet.yaml`. */
export interface OwnRecipe<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** The events that it takes. */
  readonly on: readonly ('meeting.completed' | 'meeting.failed')[];
  /** The schema of `with`; absent: it takes no options. */
  readonly options?: z.ZodObject<Shape>;
  /** The report holds the transcript. Default: false. */
  readonly transcript?: boolean;
  /**
   * The effects for one meeting. It is asked several times for one event, also after a crash: the same event and report must
   * give the same effects. It may be async. Effects to one target are told apart by their `key`.
   */
  run(
    context: RecipeContext<z.output<z.ZodObject<Shape>>>,
  ): readonly RecipeEffect[] | Promise<readonly RecipeEffect[]>;
}

/** Types a recipe, and returns it. */
export function defineRecipe<Shape extends z.ZodRawShape>(recipe: OwnRecipe<Shape>): OwnRecipe<Shape> {
  return recipe;
}

/** One effect of a recipe, made by `slack`, `email`, `notionPage`, `http` or `to`. */
export type RecipeEffect =
  | (SlackEffect & { readonly destination: 'slack' })
  | (EmailEffect & { readonly destination: 'email' })
  | (NotionPageEffect & { readonly destination: 'notion' })
  | (HttpEffect & { readonly destination: 'http' })
  | (OwnEffect & { readonly destination: string });

interface Keyed {
  /** Tells two effects for one target apart. */
  readonly key?: string | undefined;
}

/** A message in a channel, or to the member with this address. */
export type SlackEffect = Keyed & {
  readonly markdown: string;
  /** Block Kit, shown in place of `markdown`, which stays the text of notifications. At most 50 blocks. */
  readonly blocks?: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[] | undefined;
  /** Replies in the thread of the message, in this order: Markdown. At most 20. */
  readonly thread?: readonly string[] | undefined;
} & (
    | { /** The id of a channel: `C0123456789`. */ readonly channel: string; readonly user?: undefined }
    | { /** An address, or the id of a member. */ readonly user: string; readonly channel?: undefined }
  );

/** One mail for each recipient. */
export interface EmailEffect extends Keyed {
  /** Addresses. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly markdown: string;
  /** Exports of the report that are attached. */
  readonly attach?: readonly ('pdf' | 'docx' | 'md')[] | undefined;
  /** Mail to addresses outside `mail.internal_domains` waits for approval (`draft`), or is sent. Default: draft. */
  readonly external?: 'draft' | 'send' | undefined;
}

/** A page in a data source. */
export interface NotionPageEffect extends Keyed {
  /** The id of a data source. */
  readonly dataSource: string;
  readonly title: string;
  readonly markdown: string;
  /**
   * Values by the name of their property in the data source. A text fills a text, select, status or multi-select, a list a
   * multi-select, `{ date: '2026-07-07' }` a date, `{ url }` an address.
   */
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined;
}

type PropertyValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly date: string }
  | { readonly url: string };

/** A request. */
export interface HttpEffect extends Keyed {
  readonly url: string;
  /** Default: POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | undefined;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Signs the request (Standard Webhooks): `whsec_` and Base64, or at least 16 characters. Absent: it is not signed. */
  readonly secret?: string | undefined;
  /** `private`: allows addresses of this machine and of private networks, and http:// there. */
  readonly allow?: 'private' | undefined;
}

/** A message for a destination of one's own. */
interface OwnEffect extends Keyed {
  /** As the destination's schema `message` wants it. */
  readonly message: unknown;
  /** Where it goes there, for people and the ledger; default: the destination's name. It holds no secret. */
  readonly target?: string | undefined;
}

export function slack(effect: SlackEffect): RecipeEffect {
  return { destination: 'slack', ...effect };
}

export function email(effect: EmailEffect): RecipeEffect {
  return { destination: 'email', ...effect };
}

export function notionPage(effect: NotionPageEffect): RecipeEffect {
  return { destination: 'notion', ...effect };
}

export function http(effect: HttpEffect): RecipeEffect {
  return { destination: 'http', ...effect };
}

/** A message for the destination that `aftermeet.yaml` calls `destination`. */
export function to(
  destination: string,
  message: unknown,
  { target, key }: Pick<OwnEffect, 'target' | 'key'> = {},
): RecipeEffect {
  return { destination, message, target, key };
}
