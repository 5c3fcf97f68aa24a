import type { PageLink } from './control/render-sandbox-page.ts';
import type { KnobChanges } from './knobs/knobs.ts';
import type { WrittenTransitions } from './life/transitions.ts';
import type { SandboxStep } from './sandbox-step.ts';

/** How a sandbox is to be; every part of it can be left out. */
export interface SandboxOptions {
  /** Given, it is the key, whatever a folder of `data` keeps. Left out, the kept key stays valid; where none is kept it is `sandbox_key`. */
  readonly apiKey?: string;
  /** Of the four delivery headers; default `X-Service`. */
  readonly headerPrefix?: string;
  /** The machine's time, Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** How many seconds of the sandbox pass in one second of the machine. Given, it wins over what a folder of `data` keeps, which is the default; otherwise 1. */
  readonly timeScale?: number;
  /** How meetings move on by themselves: `manual` (the default), `clock`, `immediate`, or `{ polls: 3 }`, which may be written `'polls:3'`: one state with every 3 questions. */
  readonly transitions?: WrittenTransitions;
  /** What the specification does not show; the defaults are what was observed. */
  readonly knobs?: KnobChanges;
  /** A folder that keeps the state; it is made when it is not there. Default: the state is in memory only. */
  readonly data?: string;
  /** With a seed, every id comes in the same order at every start, and faults by chance hit the same calls. */
  readonly seed?: number;
  readonly observe?: (step: SandboxStep) => void;
  /** Waits before the second, third, ... attempt; default 1 min, 5 min, 15 min, 1 h, 3 h, as observed. */
  readonly retryDelaysMs?: readonly number[];
  /** False: retries carry the first attempt's timestamp and signature; where the sandbox's time runs faster than the machine's, as old as they would be. Default true. */
  readonly resign?: boolean;
  /** How long a receiver may take; default 10 s, as observed. */
  readonly deliveryTimeoutMs?: number;
  /** True: deliveries may leave this machine. Default false. */
  readonly allowRemoteReceivers?: boolean;
  /** The address that `report_url` begins with, where others reach the sandbox; default its own. */
  readonly publicUrl?: string;
  /** Host names besides this machine's own under which it can be steered, and its MCP endpoint be reached. */
  readonly allowedHosts?: readonly string[];
  /** Shown on the page for people. */
  readonly links?: readonly PageLink[];
}
