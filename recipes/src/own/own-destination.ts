import { z } from 'zod';

import type { ConfiguredDestination } from '../destinations/settings.ts';
import { type CheckResult, warning } from '../engine/check-result.ts';
import type { Destination } from '../engine/destination.ts';
import { policyKeys, policySettings } from '../engine/limits/policy-settings.ts';
import type { PolicyChange } from '../engine/limits/policy.ts';
import type { Connector, ProbeResult, SendResult } from '../engine/prepared-send.ts';
import type { RecipeProblem } from '../engine/recipe.ts';
import { listSchemaProblems } from '../engine/schema-problems.ts';
import { locateFailure, nameError, withinTime } from './call-own-code.ts';
import type { OwnDestination } from './define-destination.ts';
import { isObjectSchema, isSchema, readExport } from './read-export.ts';

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Schemas are asked, not compared: a module may bring a zod of its own. */
const ownDestinationSchema = z.looseObject({
  name: z.string({ error: 'a name' }).min(1, { error: 'a name' }),
  settings: z
    .custom<z.ZodObject>(isObjectSchema, { error: 'a z.object({ … }) or z.strictObject({ … })' })
    .optional(),
  message: z.custom<z.ZodType>(isSchema, { error: 'a schema of zod' }),
  policy: z.record(z.string(), z.unknown(), { error: 'an object such as { gap: "1s" }' }).optional(),
  send: z.custom<OwnDestination['send']>(isFunction, { error: 'a function' }),
  find: z.custom<NonNullable<OwnDestination['find']>>(isFunction, { error: 'a function' }).optional(),
  check: z.custom<NonNullable<OwnDestination['check']>>(isFunction, { error: 'a function' }).optional(),
});

type CheckedDestination = z.output<typeof ownDestinationSchema>;

/** A destination that a module exports, or what is wrong with the module. */
export type OwnDestinationRead =
  | { readonly ok: true; readonly destination: CheckedDestination; readonly place: string }
  | { readonly ok: false; readonly found: string; readonly expected: string };

/** The default export of a module as a destination. `place` is its file or package, for people. */
export function readOwnDestination(exported: unknown, place: string): OwnDestinationRead {
  const read = readExport(ownDestinationSchema, exported, place, 'destination');
  if (!read.ok) return read;
  const destination = read.value;
  const clash = listSettings(destination).find((name) => name === 'use' || policyKeys.includes(name));
  if (clash !== undefined) {
    const found = `${place} whose settings have the key ${clash}`;
    return { ok: false, found, expected: 'another name: every destination has this one' };
  }
  return { ok: true, destination, place };
}

function listSettings({ settings }: CheckedDestination): readonly string[] {
  return settings === undefined ? [] : Object.keys(settings.shape);
}

/** A destination as it stands in the settings, or every problem with them. `values` are those of `destinations.NAME` without `use`. */
export function configureDestination(
  name: string,
  read: Extract<OwnDestinationRead, { ok: true }>,
  values: Readonly<Record<string, unknown>>,
):
  | { readonly ok: true; readonly configured: ConfiguredDestination; readonly policy: PolicyChange }
  | { readonly ok: false; readonly problems: readonly RecipeProblem[] } {
  const { destination: own, place } = read;
  const entries = Object.entries(values);
  const given = Object.fromEntries(entries.filter(([key]) => !policyKeys.includes(key)));
  const policyGiven = Object.fromEntries(entries.filter(([key]) => policyKeys.includes(key)));
  const policySchema = policySettings({ isTraceable: own.find !== undefined });
  const settings = (own.settings ?? z.strictObject({})).safeParse(given);
  const defaults = policySchema.safeParse(own.policy ?? {});
  const policy = policySchema.safeParse(policyGiven);
  const setting = `destinations.${name}`;
  if (settings.success && policy.success && defaults.success) {
    const destination = toDestination(name, read, defaults.data);
    return { ok: true, configured: { destination, settings: settings.data }, policy: policy.data };
  }
  const known = [...listSettings(own), ...policyKeys];
  const wrongDefault = defaults.error?.issues[0];
  const problems = [
    ...(settings.success ? [] : listSchemaProblems(settings.error, setting, known, given)),
    ...(policy.success ? [] : listSchemaProblems(policy.error, setting, known, policyGiven)),
    ...(wrongDefault === undefined
      ? []
      : [
          {
            setting: `${setting}.use`,
            found: `${place} whose policy is not right: ${wrongDefault.path.join('.')}`,
            expected: wrongDefault.message,
          },
        ]),
  ];
  return { ok: false, problems };
}

/** The destination for the engine. */
export function toDestination(
  name: string,
  { destination: own, place }: Extract<OwnDestinationRead, { ok: true }>,
  policy: PolicyChange = {},
): Destination {
  const { check } = own;
  return {
    name,
    policy: Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined)),
    readMessage: (message) => {
      const parsed = own.message.safeParse(message);
      if (parsed.success) return { ok: true, message: parsed.data };
      const [issue] = parsed.error.issues;
      return {
        ok: false,
        path: (issue?.path ?? []).map(String),
        expected: issue?.message ?? 'another value',
      };
    },
    open: (settings, tools) =>
      openOwn(own, { place, settings: asSettings(settings), timeoutMs: tools.policy.timeoutMs }),
    check: (settings, _needs, timeoutMs) => [
      check === undefined
        ? Promise.resolve([
            warning(name, 'its settings fit', `Nothing more is known: ${place} has no check.`),
          ])
        : runCheck(check, { name, place, settings: asSettings(settings), timeoutMs }),
    ],
  };
}

/** The value was read by the schema of the destination's settings. */
function asSettings(settings: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(settings);
}

interface CallTools {
  readonly place: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

function openOwn(own: CheckedDestination, { place, settings, timeoutMs }: CallTools): Connector<unknown> {
  const { find } = own;
  const explain = (error: unknown, what: string): string =>
    `${locateFailure(error, place)}: ${what} ended with ${nameError(error)}`;
  return {
    prepare: async (message, { effectKey: key }) => ({
      result: 'ready',
      prepared: {
        timeoutMs,
        async send(): Promise<SendResult> {
          try {
            const answer = await withinTime(
              (signal) => own.send(message, { settings, signal, key }),
              timeoutMs,
            );
            return toSendResult(answer, key, place);
          } catch (error) {
            return { result: 'unknown', cause: explain(error, 'send') };
          }
        },
        async probe(sinceMs): Promise<ProbeResult> {
          if (find === undefined) return { result: 'untraceable' };
          try {
            const found: unknown = await withinTime(
              (signal) => find(key, { settings, signal, sinceMs }),
              timeoutMs,
            );
            if (found === undefined || found === null) return { result: 'absent' };
            if (typeof found === 'string') return { result: 'found', reference: found };
            return { result: 'not_asked', cause: `${place}: find returned neither text nor undefined` };
          } catch (error) {
            return { result: 'not_asked', cause: explain(error, 'find') };
          }
        },
      },
    }),
    close: async () => {},
  };
}

const cause = z.string().transform((text) => text.slice(0, 500));

/** A wait that is no number says nothing: the message was not sent either way. */
const waitMs = z.number().min(0).optional().catch(undefined);

const answerSchema = z.discriminatedUnion('result', [
  z.object({ result: z.literal('sent'), reference: z.string().optional() }),
  z.object({ result: z.literal('retry'), cause, afterMs: waitMs }),
  z.object({ result: z.literal('refuse'), cause }),
  z.object({ result: z.literal('pause'), cause }),
]);

function toSendResult(returned: unknown, key: string, place: string): SendResult {
  const { data: answer } = answerSchema.safeParse(returned);
  switch (answer?.result) {
    case 'sent':
      return { result: 'sent', reference: answer.reference ?? key };
    case 'retry':
      return answer.afterMs === undefined
        ? { result: 'not_sent_retry', cause: answer.cause }
        : { result: 'rate_limited', cause: answer.cause, retryAfterMs: answer.afterMs };
    case 'refuse':
      return { result: 'permanent', cause: answer.cause };
    case 'pause':
      return { result: 'paused', cause: answer.cause };
    case undefined:
    default:
      return { result: 'unknown', cause: `${place}: send returned none of sent, retry, refuse, pause` };
  }
}

const checkSchema = z.object({ ok: z.boolean(), found: z.string(), advice: z.string().optional() });

async function runCheck(
  check: NonNullable<OwnDestination['check']>,
  { name, place, settings, timeoutMs }: CallTools & { readonly name: string },
): Promise<readonly CheckResult[]> {
  try {
    const answered = await withinTime((signal) => check({ settings, signal }), timeoutMs);
    const { ok, found, advice } = checkSchema.parse(answered);
    return [{ name, result: ok ? 'ok' : 'failed', found, advice }];
  } catch (error) {
    return [
      {
        name,
        result: 'failed',
        found: `${locateFailure(error, place)}: check ended with ${nameError(error)}`,
      },
    ];
  }
}
