import type { CallPace } from '../stand-ins/call-pace.ts';
import type { KnobBox } from '../stand-ins/knob-box.ts';
import type { ReceivedLog } from '../stand-ins/received-log.ts';
import type { VendorSchema } from '../stand-ins/vendor-schema.ts';
import type { SlackBot } from './slack-bots.ts';
import type { SlackChannel } from './slack-channels.ts';
import type { SlackFiles } from './slack-files.ts';
import type { SlackKnobs } from './slack-knobs.ts';
import type { SlackMessage, SlackObject } from './slack-message.ts';
import type { SlackRefusal } from './slack-refusal.ts';
import type { SlackUser } from './slack-users.ts';

/** Everything that a method may touch. */
export interface SlackWorld {
  readonly log: ReceivedLog<SlackMessage>;
  readonly files: SlackFiles;
  readonly channels: readonly SlackChannel[] | undefined;
  readonly users: readonly SlackUser[];
  readonly knobs: KnobBox<SlackKnobs>;
  readonly pace: CallPace;
  readonly makeTs: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Who calls, and with what. */
export interface SlackCall {
  readonly world: SlackWorld;
  readonly schema: VendorSchema;
  readonly bot: SlackBot;
  /** The stand-in's address as the caller knows it, without a slash at its end. */
  readonly origin: string;
}

/** One method of the Web API. */
export interface SlackMethod {
  /** The definition of its arguments; absent: it takes none. */
  readonly definition?: string;
  /** What the app must have been granted; absent: nothing. */
  readonly scope?: string | ((world: SlackWorld, given: SlackObject) => string);
  /** `given` fits the definition. The answer is what stands beside `ok: true`. */
  readonly play: (call: SlackCall, given: SlackObject) => object | SlackRefusal;
}
