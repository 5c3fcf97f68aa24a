import type { WrittenTransitions } from './lifecycle.ts';
import type { ServiceOptionChanges } from './service-options.ts';

/** Every option can be left out. */
export interface SandboxOptions {
  /** The API key; default `sandbox_key`. */
  readonly apiKey?: string;
  /** Of the four delivery headers; default `X-Service`. */
  readonly headerPrefix?: string;
  /** The time of the machine, Unix milliseconds; default the clock of the system. */
  readonly clock?: () => number;
  /** What moves meetings on: `manual` (the default), `clock`, `immediate`, or `{ polls: 3 }`, also written `'polls:3'`. */
  readonly transitions?: WrittenTransitions;
  /** What the specification leaves open; the defaults are what was observed. */
  readonly options?: ServiceOptionChanges;
  /** With a seed, every start makes the same ids in the same order, and random faults hit the same calls. */
  readonly seed?: number;
  readonly observe?: (step: SandboxStep) => void;
  /** Delays before the second, third, ... attempt; default 1 min, 5 min, 15 min, 1 h, 3 h, as observed. */
  readonly retryDelaysMs?: readonly number[];
  /** How long a receiver may take; default 10 s, as observed. */
  readonly deliveryTimeoutMs?: number;
  /** True: deliveries may leave this machine. Default false. */
  readonly allowRemoteReceivers?: boolean;
  /** Where events go of meetings that the page or a control route makes without an address. API calls do not use it. */
  readonly defaultWebhook?: DefaultWebhook;
  /** The base of `report_url`; default the address of the sandbox. */
  readonly publicUrl?: string;
  /** Host names besides those of this machine for the control routes and the MCP endpoint, and registered ones for all others. */
  readonly allowedHosts?: readonly string[];
  /** Shown on the page of the sandbox. */
  readonly links?: readonly PageLink[];
}

export interface DefaultWebhook {
  readonly url: string;
  /** Signs the events. It is never shown. */
  readonly secret?: string;
}

/** A page elsewhere that people may want to open from the page of the sandbox. */
export interface PageLink {
  readonly label: string;
  readonly url: string;
}

/** Something that happened in the sandbox: ids and figures, no content. */
export type SandboxStep =
  | { readonly kind: 'meeting_recorded'; readonly meetingId: string }
  | { readonly kind: 'meeting_completed'; readonly meetingId: string }
  | { readonly kind: 'meeting_failed'; readonly meetingId: string }
  | {
      readonly kind: 'delivery_attempted';
      readonly deliveryId: string;
      readonly meetingId: string;
      /** The answer of the receiver, if any. */
      readonly status?: number;
      /** Why there was no answer. */
      readonly error?: string;
      readonly elapsedMs: number;
    }
  | { readonly kind: 'report_served'; readonly meetingId: string };
