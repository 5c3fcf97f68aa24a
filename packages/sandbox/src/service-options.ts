import { meetingStates } from '@aftermeet/contract';
import { z } from 'zod';

import { createOptionStore, readOptions, type OptionOutcome, type OptionStore } from './option-store.ts';

const word = z.string().min(1).max(64);

/**
 * What the specification leaves open and a client or a receiver can break on. The defaults are what was observed or
 * assumed; every other value is another service. `docs/sandbox-assumptions.md` describes each.
 */
const serviceOptionsSchema = z.strictObject({
  startAnswer: z.enum(['json', 'nested', 'id_text']).default('json'),
  statusAnswer: z.enum(['text', 'json', 'nested', 'map']).default('text'),
  notReadyAnswer: z.enum(['text', 'json']).default('text'),
  acknowledgement: z.enum(['observed', 'json', 'text', 'empty']).default('observed'),
  errorShape: z.enum(['json', 'nested', 'text']).default('json'),
  stateWords: z.partialRecord(z.enum(meetingStates), word).default({}),
  /** In every object of every JSON answer, and in deliveries. */
  extraFields: z.boolean().default(false),
  eventTimestamp: z
    .enum(['iso_seconds', 'iso_millis', 'iso_offset', 'unix_seconds', 'unix_millis'])
    .default('iso_seconds'),
  generateTakesTime: z.boolean().default(false),
  rateLimit: z
    .union([
      z.null(),
      z.strictObject({ requests: z.int().min(1).max(1_000_000), perSeconds: z.int().min(1).max(86_400) }),
    ])
    .default(null),
});

export type ServiceOptions = z.infer<typeof serviceOptionsSchema>;

/** A change of some options, unchecked. */
export type ServiceOptionChanges = z.input<typeof serviceOptionsSchema>;

/** Options from outside; an absent one gets its default. A refusal names the option and never repeats its value. */
export function readServiceOptions(given: unknown): OptionOutcome<ServiceOptions> {
  return readOptions(serviceOptionsSchema, given);
}

export type ServiceOptionStore = OptionStore<ServiceOptions>;

/** Throws `RangeError` for an unknown option or value in `initial`. */
export function createServiceOptions(initial: ServiceOptionChanges = {}): ServiceOptionStore {
  return createOptionStore(serviceOptionsSchema, initial);
}
