import type { z } from 'zod';

import type { PolicySettings } from '../engine/limits/policy-settings.ts';

/** What came of a call, made by `sent`, `retry`, `refuse` or `pause`. Causes are for people and hold no secret. */
export type SendAnswer =
  | { readonly result: 'sent'; readonly reference?: string | undefined }
  | { readonly result: 'retry'; readonly cause: string; readonly afterMs?: number | undefined }
  | { readonly result: 'refuse'; readonly cause: string }
  | { readonly result: 'pause'; readonly cause: string };

/** It was sent. `reference`: how the destination names it; default: the key of the effect. */
export function sent(reference?: string): SendAnswer {
  return { result: 'sent', reference };
}

/** It surely was not sent, and a later call may succeed: after `afterMs` milliseconds, or after a wait that doubles. */
export function retry(
  cause: string,
  { afterMs }: { readonly afterMs?: number | undefined } = {},
): SendAnswer {
  return { result: 'retry', cause, afterMs };
}

/** It will never be sent like this: the effect fails. */
export function refuse(cause: string): SendAnswer {
  return { result: 'refuse', cause };
}

/**
 * The destination refuses the token or address of these settings: all of its effects wait, one alert is sent, and every 30
 * seconds one effect tries.
 */
export function pause(cause: string): SendAnswer {
  return { result: 'pause', cause };
}

/** What `send`, `find` and `check` get. */
export interface DestinationTools<Settings> {
  /** The settings of this destination in `aftermeet.yaml`, checked and with their defaults. */
  readonly settings: Settings;
  /** Aborts at the timeout of the destination (`timeout`, 10 seconds). */
  readonly signal: AbortSignal;
}

/** A destination of one's own: the default export of a module that `destinations.NAME.use` names in `aftermeet.yaml`. */
export interface OwnDestination<
  Settings extends z.ZodRawShape = z.ZodRawShape,
  Message extends z.ZodType = z.ZodType,
> {
  /** For people. Recipes use the name in `aftermeet.yaml`. */
  readonly name: string;
  /** The schema of its settings, except `use` and those of every destination (`gap`, `timeout`, …); absent: it has none. */
  readonly settings?: z.ZodObject<Settings>;
  /** The schema of what recipes give to `to(name, message)`. */
  readonly message: Message;
  /** How it is treated, under the names of `aftermeet.yaml`: `{ gap: '1s' }`. */
  readonly policy?: PolicySettings;
  /**
   * Makes one call. `key` is the same for each attempt of one effect: 64 hexadecimal digits. A throw means that
   * the outcome is unknown: then `find` is asked.
   */
  send(
    message: z.output<Message>,
    tools: DestinationTools<z.output<z.ZodObject<Settings>>> & { readonly key: string },
  ): Promise<SendAnswer>;
  /**
   * Finds what was sent with this key since `sinceMs` (milliseconds since 1970): its reference, or undefined when it is not
   * there. Absent: `when_untraceable` says whether an effect with an unknown outcome is sent again or waits for a person.
   */
  find?(
    key: string,
    tools: DestinationTools<z.output<z.ZodObject<Settings>>> & { readonly sinceMs: number },
  ): Promise<string | undefined>;
  /** For `aftermeet doctor`: whether it can be used. It sends nothing. */
  check?(
    tools: DestinationTools<z.output<z.ZodObject<Settings>>>,
  ): Promise<{ readonly ok: boolean; readonly found: string; readonly advice?: string | undefined }>;
}

/** Types a destination, and returns it. */
export function defineDestination<Settings extends z.ZodRawShape, Message extends z.ZodType>(
  destination: OwnDestination<Settings, Message>,
): OwnDestination<Settings, Message> {
  return destination;
}
