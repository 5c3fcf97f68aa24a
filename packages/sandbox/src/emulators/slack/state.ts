import { type LooseObject } from '@aftermeet/pages';

import type { Collection } from '../../collection.ts';
import type { OptionStore } from '../../option-store.ts';
import type { ReceivedLog } from '../received-log.ts';
import type { VendorSchema } from '../vendor-schema.ts';
import type { SlackOptions } from './options.ts';

/** Everything that the emulated workspace holds. */
export interface SlackState {
  readonly messages: ReceivedLog<SlackMessage>;
  /** What was said to one person, and the forms that were opened. */
  readonly shown: ReceivedLog<SlackShown>;
  /** The newest 100 uploads. */
  readonly files: Collection<StoredFile>;
  /** Undefined: every channel exists. */
  readonly channels: readonly SlackChannel[] | undefined;
  readonly users: readonly SlackUser[];
  readonly options: OptionStore<SlackOptions>;
  readonly makeTs: () => string;
  readonly makeFileId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** One method of the Web API. */
export interface SlackMethod {
  /** The definition of its arguments; absent: it takes none. */
  readonly definition?: string;
  /** The scope that it needs; absent: none. */
  readonly scope?: string | ((args: LooseObject, channels: SlackState['channels']) => string);
  /** `args` fit the definition. Returns what the answer has besides `ok: true`. */
  readonly handle: (call: SlackCall, args: LooseObject) => object | SlackRefusal;
}

export interface SlackCall {
  readonly state: SlackState;
  readonly schema: VendorSchema;
  readonly bot: SlackBot;
  /** The emulator's address as the client knows it, without a trailing slash. */
  readonly origin: string;
}

/** A refusal in Slack's words: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export interface SlackRefusal {
  readonly error: string;
  /** What exactly is wrong, one line each, with a JSON pointer if there is one. */
  readonly details?: readonly string[];
  /** More fields of the answer, such as the scope that is needed. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** What one person alone sees. */
export type SlackShown =
  | { readonly kind: 'ephemeral'; readonly channel: string; readonly user: string; readonly text: string }
  | { readonly kind: 'view'; readonly triggerId: string; readonly view: LooseObject };

/** The app that a token belongs to. */
export interface SlackBot {
  readonly userId: string;
  readonly botId: string;
}

export const teamId = 'T0SANDBOX';

export interface SlackChannel {
  readonly id: string;
  /** Without the leading `#`. */
  readonly name: string;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  /** False: the app was not invited. Default true. */
  readonly isMember?: boolean;
}

export interface SlackUser {
  readonly id: string;
  /** The handle. */
  readonly name: string;
  readonly realName: string;
  readonly email: string;
}

/** What an app attached to its message for other apps. */
export interface SlackMetadata {
  readonly event_type: string;
  readonly event_payload: LooseObject;
}

export interface SlackMessage {
  /** The channel's id. */
  readonly channel: string;
  /** Unique and increasing: seconds, a dot, six digits. */
  readonly ts: string;
  /** Of a reply: the `ts` of its parent. */
  readonly threadTs?: string;
  /** The app that posted it. */
  readonly botId: string;
  readonly text: string;
  readonly blocks?: readonly LooseObject[];
  readonly metadata?: SlackMetadata;
  readonly files?: readonly SlackFile[];
  /** The `ts` of the last update. */
  readonly editedTs?: string;
  /** Arguments without effect here, as they came: `unfurl_links`, `unfurl_media`. */
  readonly otherArguments?: LooseObject;
}

/** A file as a message shows it. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly sizeBytes: number;
}

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly announcedBytes: number;
  /** Undefined until it is uploaded. */
  content: Buffer | undefined;
  /** Undefined until the upload is completed. */
  shared:
    | { readonly title: string; readonly channel: string | undefined; readonly ts: string | undefined }
    | undefined;
}
