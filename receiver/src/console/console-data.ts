import type { Markup } from '@aftermeet/pages';

import type { Bar } from './chart.ts';

/** How something stands: `none` wants nothing of anybody. */
type Tone = 'good' | 'wait' | 'bad' | 'none';

/** A few words about one recipe or effect. */
export interface Remark {
  readonly about: string;
  readonly words: string;
  readonly tone: Tone;
}

/** One meeting in the list. Times are milliseconds since 1970. */
interface MeetingLine {
  readonly meetingId: string;
  readonly title?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly atMs: number;
  readonly remarks: readonly Remark[];
}

export interface MeetingList {
  readonly meetings: readonly MeetingLine[];
  /** Where the next page begins; absent: this was the last one. */
  readonly next?: string | undefined;
  /** A search looked at so many of the newest meetings, and there are more. */
  readonly searched?: number | undefined;
}

/** One effect, with what a person can do about it. */
export interface EffectLine {
  readonly effectKey: string;
  readonly meetingId: string;
  readonly recipe: string;
  readonly destination: string;
  /** 0; from 1 on it belongs behind a message. */
  readonly part: number;
  readonly state: string;
  readonly tone: Tone;
  readonly changedAtMs?: number | undefined;
  readonly cause?: string | undefined;
  /** When it is tried next. */
  readonly nextTryMs?: number | undefined;
  /** Where what was sent is. */
  readonly reference?: string | undefined;
  /** It can be opened in a browser. */
  readonly hasAddress: boolean;
  readonly actions: readonly EffectAction[];
}

export type EffectAction = 'retry' | 'resend' | 'recall' | 'sent' | 'not-sent' | 'dismiss' | 'review';

/** The whole way of one meeting. */
export interface MeetingView extends Omit<MeetingLine, 'remarks'> {
  readonly steps: readonly { readonly atMs: number; readonly words: string; readonly tone: Tone }[];
  readonly notTaken: readonly { readonly recipe: string; readonly cause: string }[];
  readonly effects: readonly EffectLine[];
}

/** What waits, and what a person has to see to. */
export interface AttentionView {
  readonly effects: readonly EffectLine[];
  /** More than are listed. */
  readonly isMore: boolean;
  /** Sentences about what stops everything: a refused key, a destination that refuses our token. */
  readonly notices: readonly string[];
}

export interface OverviewView {
  /** How many effects stand how, by the name of the state. */
  readonly effects: Readonly<Record<string, number>>;
  /** What was sent and what failed in the last hour and the last day. */
  readonly lastHour: readonly Bar[];
  readonly lastDay: readonly Bar[];
  /** Deliveries that no worker has taken yet. */
  readonly waitingDeliveries: number;
  readonly waitingEffects: number;
  /** How long the oldest delivery and the oldest effect have waited for a worker; milliseconds. */
  readonly oldestMs: number;
  readonly workers: readonly {
    readonly name: string;
    readonly words: string;
    readonly tone: Tone;
    readonly atMs: number;
  }[];
  readonly notices: readonly string[];
}

/** A message as it would be sent now. */
export interface MessageView {
  readonly effect: EffectLine;
  /** Where it goes; a person who approves has to see the address. */
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  /** The body of a mail, for a sandboxed frame. */
  readonly html?: string | undefined;
  /** Any other message, drawn. */
  readonly drawn?: Markup | undefined;
  /** What an approval counts for: the hash of what is shown. Absent: it cannot be shown, so it cannot be approved. */
  readonly contentHash?: string | undefined;
  /** Why it cannot be shown. */
  readonly problem?: string | undefined;
}

/** Of a mail that waits for approval: what a person can change. */
interface DraftFields {
  readonly to: string;
  readonly subject: string;
}

/** What a person asks for. `who` goes into the journal. */
export type ConsoleAction = { readonly effectKey: string; readonly who: string } & (
  | { readonly kind: 'retry' | 'resend' | 'recall' | 'discard' | 'sent' | 'not-sent' }
  /** `fields` are what the form says, `draft` what was seen. */
  | {
      readonly kind: 'approve';
      readonly contentHash: string;
      readonly fields: DraftFields;
      readonly draft: DraftFields;
    }
  | { readonly kind: 'dismiss'; readonly reason: string }
);

/** A recipe of the settings, in words. */
export interface RecipeLine {
  readonly name: string;
  readonly use: string;
  readonly description: string;
  /** Conditions, all of which must hold. */
  readonly takes: readonly string[];
  /** Its destination; absent: its code names several. */
  readonly destination?: string | undefined;
  readonly endpoints: readonly string[];
  /** Why it cannot run, or may surprise. */
  readonly problems: readonly string[];
}

/** Everything that the console shows and does. The host makes it from its stores. Pages get at most `limit` rows. */
export interface ConsoleData {
  listMeetings(search: {
    readonly words: string;
    /** Only what happened until the end of this day: `2026-07-07`. */
    readonly day?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<MeetingList>;
  /** Undefined: nothing is known of it. */
  readMeeting(meetingId: string): Promise<MeetingView | undefined>;
  /** A text that is another one when something has happened that pages show. */
  readMark(): Promise<string>;
  /** What the recipes of now see in a meeting, and would send; undefined: nothing is known of it. */
  previewMeeting(
    meetingId: string,
  ): Promise<{ readonly drawn: Markup } | { readonly problem: string } | undefined>;
  listAttention(limit: number): Promise<AttentionView>;
  listWaiting(limit: number): Promise<AttentionView>;
  readOverview(): Promise<OverviewView>;
  listRecipes(): Promise<readonly RecipeLine[]>;
  /** Undefined: there is no such effect. */
  readEffect(effectKey: string): Promise<EffectLine | undefined>;
  listHeld(limit: number): Promise<readonly EffectLine[]>;
  /** Undefined: there is no such effect. */
  readMessage(effectKey: string): Promise<MessageView | undefined>;
  /** The address of what was sent, asked of its destination; undefined: there is no such effect. */
  locate(effectKey: string): Promise<{ readonly url: string } | { readonly problem: string } | undefined>;
  /** What a replay would do, or does. Of a longer range of time the newest deliveries are left out. */
  replay(
    choice: ReplayChoice,
    order: { readonly isDryRun: boolean; readonly who: string },
  ): Promise<ReplayView>;
  /** What the link of a request for approval is about; undefined: it is none of ours, or its time is over. */
  findApproval(
    token: string,
  ): Promise<{ readonly effectKey: string; readonly who: string; readonly expiresAtMs: number } | undefined>;
  /** Who gets no mail and no direct message, the newest first. */
  listSuppressed(): Promise<readonly SuppressedReader[]>;
  /** Undefined: it is done. Else why it is refused, in a sentence. */
  changeSuppressed(
    whom: Pick<SuppressedReader, 'address' | 'meetingId'>,
    change: { readonly isSuppressed: boolean; readonly who: string },
  ): Promise<string | undefined>;
  /** What the unsubscribe link in a mail is about; undefined: it is none of ours. */
  findSubscription(token: string): Promise<Subscription | undefined>;
  /** Puts the reader of that mail on the suppression list, or takes them from it. False: the link is none of ours. */
  changeSubscription(
    token: string,
    change: { readonly isSuppressed: boolean; readonly isForMeetingOnly: boolean },
  ): Promise<boolean>;
  /** Says in a sentence what happened; undefined: there is no such effect. */
  act(action: ConsoleAction): Promise<string | undefined>;
  /** Sessions that all processes share. */
  readonly sessions: SessionStore;
  /** For people. */
  readonly queueName: string;
}

/** Somebody on the suppression list. */
export interface SuppressedReader {
  /** An address, or the id of a member of Slack. */
  readonly address: string;
  /** Only about this meeting and its series. */
  readonly meetingId?: string | undefined;
  readonly atMs: number;
  readonly who: string;
}

/** What somebody gets of an installation. */
interface Subscription {
  /** Enough to know one's own address by: `a…@example.com`. */
  readonly address: string;
  /** The mail was about a meeting, which may be one of a series. */
  readonly hasMeeting: boolean;
  /** Absent: the mails come. */
  readonly suppressedFor?: 'all' | 'meeting' | undefined;
}

/** Which deliveries are replayed. Milliseconds since 1970. */
export type ReplayChoice =
  | { readonly meetingId: string }
  | { readonly fromMs: number; readonly toMs: number };

export interface ReplayView {
  readonly deliveries: number;
  /** There are more deliveries in the range than one replay takes. */
  readonly isCut: boolean;
  /** How many effects of which kind: `failed → tried again`. */
  readonly effects: readonly {
    readonly words: string;
    readonly count: number;
    readonly isChanged: boolean;
  }[];
  /** Deliveries that are not replayed, and why. */
  readonly refused: readonly string[];
}

/** Texts that expire, by a name that is no secret. */
export interface SessionStore {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string, keepMs: number): Promise<void>;
}
