import type { EffectJob } from '@aftermeet/queue';

import type { Digest } from '../report/digest.ts';
import type { AlertText } from './alert-text.ts';
import type { ApprovalRules } from './approval-rules.ts';
import type { Condition } from './conditions/condition.ts';
import type { RecipeWhen } from './conditions/when.ts';
import type { Rendered } from './prepared-send.ts';

/** What a recipe sees of a delivery. */
export type MeetingEvent = EffectJob['event'];

/** A recipe of an installation, as it stands in its settings; `checkConfiguredRecipe` says if it can run. */
export interface ConfiguredRecipe {
  readonly name: string;
  /** The id of a prebuilt recipe, or the file or package of one's own. */
  readonly use: string;
  /** What `use` names, where it is no prebuilt recipe. */
  readonly definition?: PrebuiltRecipe | undefined;
  readonly when: Readonly<Record<string, unknown>>;
  readonly with: Readonly<Record<string, unknown>>;
  /** Who is asked to approve what is held. */
  readonly approve?: Readonly<Record<string, unknown>> | undefined;
}

/** Where one effect of a recipe goes: a channel, a data source, an address. */
export interface PlannedEffect {
  /** Absent: the destination of its recipe. */
  readonly destination?: string;
  readonly target: string;
  readonly part: number;
  /** What of the meeting it is about, where it is not about all of it: the key of a task, an owner. */
  readonly item?: string;
}

/** The target of an effect that goes nowhere: it reads the report and plans the effects of its recipe. */
export const expandTarget = 'expand';

/** There is nothing to send, and why. */
interface NothingToSend {
  /** For people, without content of the report. */
  readonly skip: string;
  /** It was meant to be sent and cannot be made: the effect fails. */
  readonly isFailure?: true;
}

/** A recipe that is made from the report. */
export interface ReportInput<Message extends Rendered = Rendered> {
  readonly from: 'report';
  /** Pure. Its effect of part 0 is the message itself; what belongs behind it has the parts after that. */
  render(digest: Digest, effect: PlannedEffect): Message | NothingToSend;
  /** The message of a failed meeting, which has no report. Absent: a report is waited for. Pure. */
  renderFailed?(event: MeetingEvent): Message | NothingToSend;
  /**
   * Which further effects belong to this one: what one report means for several people, and what follows a message.
   * Asked once, before the effect itself is brought about; an effect to `expandTarget` does nothing else. Pure.
   */
  expand?(digest: Digest, effect: PlannedEffect): readonly PlannedEffect[];
  /** Why an effect to `expandTarget` fails and expands to nothing, for people; undefined: it may expand. Pure. */
  refuseExpansion?(digest: Digest): string | undefined;
  /** Participants whom `expand` would choose if their addresses could be used; undefined: none. Pure. */
  findRefused?(digest: Digest): RefusedParticipants | undefined;
  /** Why nothing is sent when an effect to `expandTarget` expands to nothing; for people. */
  readonly whyNoTarget?: string;
  /** Its digest holds the transcript. */
  readonly needsTranscript?: boolean;
}

/** Participants who are left out because their addresses cannot be used. */
export interface RefusedParticipants {
  /** Names, never addresses. `cause` is a code. */
  readonly participants: readonly { readonly name?: string; readonly cause: string }[];
  /** How many they are, who and why; for people. */
  readonly text: string;
}

/** The time between two moments of a schedule: `[fromMs, toMs)`, milliseconds since 1970. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A meeting of a period, or why it is left out. */
export type PeriodMeeting =
  | { readonly digest: Digest }
  | { readonly leftOut: 'too_many' | 'not_ready' | 'deleted' | 'unreadable' | 'not_read' };

/** An effect together with its message. */
export interface MadeEffect extends PlannedEffect {
  readonly rendered: Rendered;
}

/** A recipe that makes all effects of a meeting in one step, from the event and the report. */
export interface RunInput {
  readonly from: 'run';
  readonly needsTranscript?: boolean;
  /**
   * The same event and report make the same effects. `digest` is absent for an event without a report. A recipe that fails
   * says why, for people and without content of the report.
   */
  run(
    event: MeetingEvent,
    digest: Digest | undefined,
  ): Promise<
    | { readonly ok: true; readonly effects: readonly MadeEffect[] }
    | { readonly ok: false; readonly cause: string }
  >;
}

/** What a recipe is made from: the report's digest, the event alone, or the meetings of a period. Renderers are pure. */
export type RecipeInput<Message extends Rendered = Rendered> =
  | ReportInput<Message>
  | RunInput
  | {
      readonly from: 'event';
      /** `suppressed`: how many alerts of its kind were not sent since the last one. */
      render(alert: AlertText, suppressed?: number): Message;
      /** After one alert of a kind of event, others of that kind are not sent for this long. 0: each is sent. */
      readonly cooldownMs?: number;
    }
  | { readonly from: 'period'; render(meetings: readonly PeriodMeeting[], period: Period): Message };

/** When a recipe runs by the clock: a cron expression of five fields, in UTC unless a time zone is named. */
export interface RecipeSchedule {
  readonly cron: string;
  readonly timeZone?: string;
}

/** What of a recipe decides which meetings it takes. */
export interface Matchable {
  readonly name: string;
  readonly prebuilt: Pick<PrebuiltRecipe, 'reads'>;
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** Whether deliveries to an endpoint run it. */
  readonly runsAt: (endpoint: string) => boolean;
  /** The other recipes that `otherwise` asks for: they are about the same, at the same destination. */
  readonly rivals: readonly Matchable[];
  /** Whether an address is outside the installation's own domains. */
  readonly isExternalAddress: (address: string) => boolean;
}

/** A recipe of which everything is settled: ready to run. */
export interface BoundRecipe extends Matchable {
  readonly prebuilt: PrebuiltRecipe;
  readonly when: RecipeWhen;
  readonly input: RecipeInput;
  /** Absent: events alone make it run. */
  readonly schedule?: RecipeSchedule;
  /** Who is asked to approve a message that is held; absent: it waits in the list of approvals. */
  readonly approval?: ApprovalRules | undefined;
  plan(event: MeetingEvent): readonly PlannedEffect[];
}

/** One option of a prebuilt recipe, for people. */
export interface RecipeOption {
  readonly name: string;
  readonly description: string;
  /** What counts where it is not set; absent: nothing does, or another setting. */
  readonly default?: unknown;
}

/** What is wrong with a recipe's settings. */
export interface RecipeProblem {
  readonly setting: string;
  readonly found: string;
  readonly expected: string;
}

/** The settings of every destination, by its name; one that is not configured is not there. */
type DestinationSettings = Readonly<Record<string, unknown>>;

/** A recipe that comes with the toolkit. */
export interface PrebuiltRecipe {
  readonly id: string;
  /** One line. */
  readonly description: string;
  /** The name of its destination. */
  readonly destination: string;
  readonly events: readonly string[];
  /** Of a completed meeting: whether the recipe wants those with a transcript or those without. */
  readonly transcript: 'present' | 'empty';
  /** What of a meeting it is about; `otherwise` asks for recipes about the same. */
  readonly about: 'meeting' | 'tasks';
  /** What it is made from: the `from` of its subject, known before it is bound. */
  readonly reads: 'report' | 'event' | 'period';
  /** Its effects can go to every destination, not to `destination` alone. */
  readonly sendsAnywhere?: boolean;
  readonly options: readonly RecipeOption[];
  /** Problems with the values of `with`; none means that `bind` takes them. */
  check(values: Readonly<Record<string, unknown>>): readonly RecipeProblem[];
  /** What it needs of its destination, for the destination's `check`; undefined: nothing, or it cannot run. */
  findNeed?(values: Readonly<Record<string, unknown>>): unknown;
  /** Settles the recipe. Throws on values that `check` finds fault with. */
  bind(
    values: Readonly<Record<string, unknown>>,
    destinations: DestinationSettings,
  ): Pick<BoundRecipe, 'plan' | 'input' | 'schedule'>;
}
