import type { Endpoints, MeterReading, ReloadResult } from '@aftermeet/receiver';

import type { ReceiverSettings } from '../open-receiver.ts';

/** What the primary tells a process. It holds secrets, and goes through the channel between the two alone. */
export type ToProcess =
  | { readonly kind: 'start'; readonly settings: ReceiverSettings }
  | { readonly kind: 'stop' }
  | { readonly kind: 'replace'; readonly id: number; readonly endpoints: Endpoints }
  | { readonly kind: 'read'; readonly id: number }
  | { readonly kind: 'reloaded'; readonly id: number; readonly result: ReloadResult }
  | { readonly kind: 'readings'; readonly id: number; readonly readings: readonly MeterReading[] };

/** What a process tells the primary. */
export type ToPrimary =
  /** It is there, and waits to be started. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'up'; readonly url: string; readonly queue: string }
  /** It could not start; `message` is for people. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'replaced'; readonly id: number }
  | { readonly kind: 'reading'; readonly id: number; readonly reading: MeterReading }
  | { readonly kind: 'reload'; readonly id: number }
  | { readonly kind: 'list_readings'; readonly id: number };
