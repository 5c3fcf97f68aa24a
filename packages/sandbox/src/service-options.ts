import { findNearestName, meetingStates } from '@aftermeet/contract';
import { z } from 'zod';

import { isTooDeep, maxLevels, quoteName } from './values.ts';

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

export const serviceOptionNames: readonly string[] = Object.keys(serviceOptionsSchema.shape);

/** `message` names the option and never repeats its value. */
export type ServiceOptionsResult =
  | { readonly ok: true; readonly options: ServiceOptions }
  | { readonly ok: false; readonly message: string };

/** Validates options; an absent one gets its default. */
export function validateServiceOptions(given: Readonly<Record<string, unknown>>): ServiceOptionsResult {
  if (isTooDeep(given)) {
    return { ok: false, message: `Options may be nested ${String(maxLevels)} levels deep at most.` };
  }
  const result = serviceOptionsSchema.safeParse(given);
  if (result.success) return { ok: true, options: result.data };
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    return { ok: false, message: describeUnknown(issue.keys[0] ?? '') };
  }
  return { ok: false, message: `${(issue?.path ?? []).join('.')}: ${issue?.message ?? 'it is invalid'}.` };
}

function describeUnknown(name: string): string {
  const nearest = findNearestName(name, serviceOptionNames);
  const hint =
    nearest === undefined ? `the options are ${serviceOptionNames.join(', ')}.` : `did you mean ${nearest}?`;
  return `There is no option ${quoteName(name)}: ${hint}`;
}

/** The current options of one sandbox. */
export interface ServiceOptionStore {
  readonly get: () => ServiceOptions;
  /** Sets some of them; the others stay. Throws `RangeError`, and sets none, for an unknown option or value. */
  readonly set: (changes: ServiceOptionChanges) => void;
  /** Back to those that the sandbox was started with. */
  readonly reset: () => void;
}

/** Throws `RangeError` for an unknown option or value in `initial`. */
export function createServiceOptions(initial: ServiceOptionChanges = {}): ServiceOptionStore {
  const first = mustValidate(initial);
  let options = first;
  return {
    get: () => options,
    set(changes) {
      options = mustValidate({ ...options, ...changes });
    },
    reset() {
      options = first;
    },
  };
}

function mustValidate(given: Readonly<Record<string, unknown>>): ServiceOptions {
  const result = validateServiceOptions(given);
  if (!result.ok) throw new RangeError(result.message);
  return result.options;
}
