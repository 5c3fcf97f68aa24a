import { suggestName } from '@aftermeet/contract';
import type { Endpoints } from '@aftermeet/receiver';
import {
  isMailAddress,
  isPublicMailDomain,
  type MailSettings,
  type PolicyChange,
  type PolicyChanges,
} from '@aftermeet/recipes';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { omitUndefined, parseDuration } from '../options.ts';
import { formatDuration } from '../terminal/format.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const domain = z
  .string({ error: 'a domain such as example.com' })
  .regex(/^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i, {
    error: 'a domain such as example.com',
  })
  .transform((name) => name.toLowerCase());

/** All other users of a public mail provider are strangers. */
const ownDomain = domain.refine((name) => !isPublicMailDomain(name), {
  error: "your own domain, not a public mail provider's: its other users would be internal",
});

const word = (what: string) => z.string({ error: what }).min(1, { error: what });

/** Headers that every mail has. */
const ownHeaders =
  /^(?:from|to|cc|bcc|sender|subject|date|message-id|reply-to|references|in-reply-to|mime-.*|content-.*|list-.*|dkim-.*)$/i;

const dkimSchema = z.strictObject({
  domain,
  selector: z
    .string({ error: 'the name of the key in the DNS' })
    .regex(/^[a-z\d]([a-z\d._-]{0,61}[a-z\d])?$/i, {
      error: 'the name of the key in the DNS, such as mail2026',
    }),
  private_key: z
    .string({ error: 'the private key as PEM: "${file:dkim.pem}"' })
    .regex(/^-----BEGIN [A-Z ]*PRIVATE KEY-----\s/, { error: 'the private key as PEM: "${file:dkim.pem}"' }),
});

const oauth2Schema = z.strictObject({
  user: z
    .string({ error: 'the address of the mailbox that sends' })
    .refine(isMailAddress, { error: 'the address of the mailbox that sends' }),
  client_id: word('the id of the OAuth2 client'),
  client_secret: word('the secret of the OAuth2 client'),
  refresh_token: word('a refresh token'),
  access_url: z
    .url({ protocol: /^https$/, error: 'the https address that gives out access tokens' })
    .optional(),
});

/** `mail:` of the settings file: options in addition to the variables of the mail server. */
export const mailSchema = z.strictObject({
  internal_domains: z
    .union([ownDomain.transform((one) => [one]), z.array(ownDomain).min(1)], {
      error: 'a domain such as example.com, or a list of them',
    })
    .optional(),
  outbox: z
    .never({ error: 'nothing: mail that waits for approval is in the ledger (aftermeet approvals)' })
    .optional(),
  reply_to: z
    .string({ error: 'an address such as name@example.com' })
    .refine(isMailAddress, { error: 'an address such as name@example.com' })
    .optional(),
  /** RFC 8058 requires https. */
  unsubscribe_url: z.url({ protocol: /^https$/, error: 'an https address' }).optional(),
  idempotency_header: z
    .string({ error: 'the name of a header' })
    .regex(/^[A-Za-z][A-Za-z\d-]{0,63}$/, { error: 'the name of a header, such as X-EE-Idempotency-Key' })
    .refine((name) => !ownHeaders.test(name), { error: 'a header that no mail has anyway' })
    .optional(),
  dkim: dkimSchema.optional(),
  oauth2: oauth2Schema.optional(),
});

type FileMail = z.infer<typeof mailSchema>;

/** Converts `mail:` to the settings of the recipes. */
export function toMailSettings({ dkim, oauth2, ...mail }: FileMail = {}): Partial<MailSettings> {
  return omitUndefined({
    internalDomains: mail.internal_domains,
    replyTo: mail.reply_to,
    unsubscribeUrl: mail.unsubscribe_url,
    idempotencyHeader: mail.idempotency_header,
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, privateKey: dkim.private_key },
    oauth2: oauth2 && {
      user: oauth2.user,
      clientId: oauth2.client_id,
      clientSecret: oauth2.client_secret,
      refreshToken: oauth2.refresh_token,
      ...omitUndefined({ accessUrl: oauth2.access_url }),
    },
  });
}

const shared = {
  /** Time between two effects with one rate-limit key: a Slack channel, the Notion connection, or another destination as a whole. */
  gap: durationSetting(0, HOUR_MS).optional(),
  /** Maximum number of effects that one worker sends at a time. */
  concurrency: wholeSetting(1, 1000).optional(),
  /** Timeout of one call; a stopping worker waits for the longest of them. */
  timeout: durationSetting(1000, 20_000).optional(),
  first_wait: durationSetting(100, DAY_MS).optional(),
  longest_wait: durationSetting(100, DAY_MS).optional(),
  /** How long retries for the same cause may go on: less than the ledger remembers. */
  patience: durationSetting(1000, 30 * DAY_MS).optional(),
  /** Time from a claim to the first probe: a call may begin some seconds after its claim. */
  grace: durationSetting(5000, HOUR_MS).optional(),
  /** Number of probes after which a person has to settle it. */
  max_probes: wholeSetting(1, 1000).optional(),
};

/** The default of every destination. */
const DEFAULT_LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** A first wait above the longest would silently be cut to it. */
const waitsInOrder = {
  check: ({
    first_wait: first = 0,
    longest_wait: longest,
  }: {
    readonly first_wait?: number | undefined;
    readonly longest_wait?: number | undefined;
  }): boolean => first <= (longest ?? DEFAULT_LONGEST_WAIT_MS),
  problem: { path: ['longest_wait'], error: 'as much as first_wait, at least; 15m where it is left out' },
};

const traceablePolicy = z.strictObject(shared).refine(waitsInOrder.check, waitsInOrder.problem).optional();

/** Destinations that cannot be asked whether something arrived. */
const untraceableShared = {
  ...shared,
  when_untraceable: z.enum(['resend', 'hold'], { error: 'resend or hold' }).optional(),
};

const untraceablePolicy = z
  .strictObject(untraceableShared)
  .refine(waitsInOrder.check, waitsInOrder.problem)
  .optional();

/** An export is written while it is read, which takes longer than a message. */
const slow = { ...shared, timeout: durationSetting(1000, 10 * MINUTE_MS).optional() };

/** `destinations:` of the settings file: policies that differ from the defaults. */
export const policiesSchema = z.strictObject({
  slack: traceablePolicy,
  notion: traceablePolicy,
  email: untraceablePolicy,
  http: untraceablePolicy,
  folder: z.strictObject(slow).refine(waitsInOrder.check, waitsInOrder.problem).optional(),
});

type FilePolicies = z.infer<typeof policiesSchema>;

type FilePolicy = NonNullable<FilePolicies['email']>;

/** Converts `destinations:` to the policies of the recipes. */
export function toPolicyChanges(file: FilePolicies = {}): PolicyChanges {
  return {
    slack: file.slack && toPolicyChange(file.slack),
    notion: file.notion && toPolicyChange(file.notion),
    email: file.email && toPolicyChange(file.email),
    http: file.http && toPolicyChange(file.http),
    folder: file.folder && toPolicyChange(file.folder),
  };
}

function toPolicyChange(policy: FilePolicy): PolicyChange {
  return {
    gapMs: policy.gap,
    concurrency: policy.concurrency,
    timeoutMs: policy.timeout,
    firstWaitMs: policy.first_wait,
    longestWaitMs: policy.longest_wait,
    patienceMs: policy.patience,
    graceMs: policy.grace,
    maxProbes: policy.max_probes,
    whenUntraceable: policy.when_untraceable,
  };
}

/** Default period of a search for lost deliveries. */
export const DEFAULT_SINCE_MS = 2 * DAY_MS;

/** `reconcile:` of the settings file: how often the worker searches for lost deliveries (absent: never), and where to send them. */
export const reconcileSchema = z.strictObject({
  every: durationSetting(MINUTE_MS, 7 * DAY_MS).optional(),
  since: durationSetting(MINUTE_MS, 60 * DAY_MS).default(DEFAULT_SINCE_MS),
  endpoint: z.string().optional(),
});

type EndpointChoice =
  | { readonly ok: true; readonly endpoint: string }
  | { readonly ok: false; readonly problem: Omit<SettingProblem, 'setting'> };

/** The endpoint for a lost delivery of a meeting whose own one is not known: the named one, or the only one. */
export function chooseEndpoint({ byName }: Endpoints, wanted?: string): EndpointChoice {
  const names = [...byName.keys()];
  if (wanted !== undefined) {
    if (byName.has(wanted) || (names.length === 0 && wanted === 'default'))
      return { ok: true, endpoint: wanted };
    const found = `the unknown endpoint ${JSON.stringify(wanted)}`;
    const expected = names.length === 0 ? 'an endpoint that is configured' : suggestName(wanted, names);
    return { ok: false, problem: { found, expected } };
  }
  if (names.length === 0) return { ok: true, endpoint: 'default' };
  const [only = 'default', ...others] = names;
  if (others.length === 0) return { ok: true, endpoint: only };
  const expected = `one of ${names.join(', ')}: the endpoint of meetings whose own one is not known`;
  return { ok: false, problem: { found: 'nothing', expected } };
}

/** A duration in the settings file, written as on the command line; in milliseconds. */
function durationSetting(minMs: number, maxMs: number) {
  const error = `a time such as 400ms, 90s, 15m or 2d, from ${describeMs(minMs)} to ${describeMs(maxMs)}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value) => parseMs(String(value)))
    .refine((ms) => ms >= minMs && ms <= maxMs, { error });
}

/** A whole number in the settings file; as text if it comes from a variable. */
function wholeSetting(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .union([z.string().regex(/^\d{1,9}$/), z.number().int()], { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

function parseMs(text: string): number {
  try {
    return Math.round(parseDuration(text) * 1000);
  } catch {
    return Number.NaN;
  }
}

function describeMs(ms: number): string {
  if (ms % DAY_MS === 0 && ms > 0) return `${ms / DAY_MS}d`;
  return ms > 0 && ms < 1000 ? `${ms} ms` : formatDuration(ms / 1000);
}
