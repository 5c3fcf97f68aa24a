import type { EffectJob } from '@aftermeet/queue';

import type { AlertText } from './alert-text.ts';
import type { DestinationName, Destinations } from './destinations.ts';
import type { Digest } from './digest.ts';
import type { MailMessage } from './email/mail-message.ts';
import type { NotionPage } from './notion/notion-page.ts';
import type { SlackMessage } from './slack/slack-message.ts';

/** What a recipe sees of a delivery. */
export type MeetingEvent = EffectJob['event'];

/** Which events a recipe wants; what is left out is the prebuilt recipe's own choice. */
export interface RecipeWhen {
  /** Event kinds, such as `meeting.completed`; a kind that is not known is taken only when named here. */
  readonly event?: string | readonly string[];
  readonly endpoint?: string | readonly string[];
  /** Title patterns: `*` any text, `?` one character, case does not matter. */
  readonly title?: string | readonly string[];
  readonly isTranscriptEmpty?: boolean;
}

/** A recipe of an installation, as it stands in its settings; `checkConfiguredRecipe` says if it can run. */
export interface ConfiguredRecipe {
  readonly name: string;
  /** The id of a prebuilt recipe. */
  readonly use: string;
  readonly when: Readonly<Record<string, unknown>>;
  readonly with: Readonly<Record<string, unknown>>;
}

/** Where one effect of a recipe goes: a channel, a data source, an address. */
export interface PlannedEffect {
  readonly target: string;
  readonly part: number;
}

/** Something rendered, with the destination that understands it. */
export type Rendered =
  | { readonly destination: 'slack'; readonly message: SlackMessage }
  | { readonly destination: 'notion'; readonly message: NotionPage }
  | { readonly destination: 'email'; readonly message: MailMessage };

/** The time between two moments of a schedule: `[fromMs, toMs)`, milliseconds since 1970. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A meeting of a period, or why nothing can be told of it. */
export type PeriodMeeting =
  | { readonly digest: Digest }
  | { readonly leftOut: 'too_many' | 'not_ready' | 'deleted' | 'unreadable' };

/** What a recipe is made from: the report's digest, the event alone, or the meetings of a period. Renderers are pure. */
export type RecipeSubject =
  | { readonly from: 'report'; render(digest: Digest): Rendered }
  | { readonly from: 'event'; render(alert: AlertText): Rendered }
  | { readonly from: 'period'; render(meetings: readonly PeriodMeeting[], period: Period): Rendered };

/** When a recipe runs by the clock: a cron expression of five fields, in UTC unless a time zone is named. */
export interface RecipeSchedule {
  readonly cron: string;
  readonly timeZone?: string;
}

/** A recipe of which everything is settled: ready to run. */
export interface BoundRecipe {
  readonly name: string;
  readonly prebuilt: PrebuiltRecipe;
  readonly when: RecipeWhen;
  readonly subject: RecipeSubject;
  /** Absent: events alone make it run. */
  readonly schedule?: RecipeSchedule;
  plan(event: MeetingEvent): readonly PlannedEffect[];
}

/** One option of a prebuilt recipe, for people. */
export interface RecipeOption {
  readonly name: string;
  readonly description: string;
}

/** What is wrong with a recipe's settings. */
export interface RecipeProblem {
  readonly setting: string;
  readonly found: string;
  readonly expected: string;
}

/** A recipe that comes with the toolkit. */
export interface PrebuiltRecipe {
  readonly id: string;
  /** One line. */
  readonly description: string;
  readonly destination: DestinationName;
  readonly events: readonly string[];
  /** Of a completed meeting: whether the recipe wants those with a transcript or those without. */
  readonly transcript: 'present' | 'empty';
  readonly options: readonly RecipeOption[];
  /** Problems with the values of `with`; none means that `bind` takes them. */
  check(values: Readonly<Record<string, unknown>>): readonly RecipeProblem[];
  /** Settles the recipe. Throws on values that `check` finds fault with. */
  bind(
    values: Readonly<Record<string, unknown>>,
    destinations: Destinations,
  ): Pick<BoundRecipe, 'plan' | 'subject' | 'schedule'>;
}
