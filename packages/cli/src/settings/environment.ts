import { isIP } from 'node:net';

import { parseQueueUrl } from '@aftermeet/queue';
import { destinationVariables } from '@aftermeet/recipes';
import { describeWeakSecret } from '@aftermeet/webhooks';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { fillSecretFiles } from './secret-files.ts';
import { headerPrefix, httpUrl, readVariables, serviceVariables } from './service.ts';
import type { Environment } from './settings.ts';

type EnvironmentRead =
  | { readonly ok: true; readonly values: EnvironmentValues }
  | {
      readonly ok: false;
      readonly problems: readonly SettingProblem[];
      /** The values without the wrong ones, to judge the file by. */
      readonly values: EnvironmentValues;
    };

/** Validates the variables of the environment. */
export function readEnvironment(environment: Environment): EnvironmentRead {
  const read = readVariables(environmentSchema, environment);
  if (read.ok) return read;
  const wrong = new Set(read.problems.map(({ setting }) => setting));
  const usable = Object.entries(fillSecretFiles(environment).environment).filter(
    ([name, value]) => value !== '' && !wrong.has(name),
  );
  const values = environmentSchema.parse(Object.fromEntries(usable));
  // A wrong secret still says that there is an endpoint `default`.
  const secrets = {
    WEBHOOK_SECRET: environment['WEBHOOK_SECRET'] ?? environment['WEBHOOK_SECRET_FILE'],
    WEBHOOK_MASTER_SECRET: environment['WEBHOOK_MASTER_SECRET'] ?? environment['WEBHOOK_MASTER_SECRET_FILE'],
  };
  return { ok: false, problems: read.problems, values: { ...values, ...secrets } };
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `a whole number from ${least} to ${most}` });

/** A secret of an endpoint; the message says why it is weak, never what it is. */
export const secretSchema = z.string().refine((value) => describeWeakSecret(value) === undefined, {
  error: (issue) =>
    `16 to 128 characters that can't be guessed (this one ${describeWeakSecret(String(issue.input)) ?? 'is weak'})`,
});

/**
 * A secret of the environment. `${…}` is filled in the settings file only; here it would become the secret itself, readable
 * in a deployment file.
 */
const environmentSecret = z
  .string()
  .refine((value) => !/\$\{[^}]*\}/.test(value), {
    error: 'the secret itself, because ${…} is filled in aftermeet.yaml only',
    abort: true,
  })
  .pipe(secretSchema);

/** Addresses and ranges of trusted proxies, separated by commas: `10.0.0.0/8, ::1`. */
const proxyList = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .pipe(
    z.array(
      z.string().refine(isAddressOrRange, {
        error: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
      }),
    ),
  );

/** All variables with their schemas and defaults. */
const environmentSchema = z.object({
  ...serviceVariables,
  SERVICE_HEADER_PREFIX: headerPrefix,
  WEBHOOK_SECRET: environmentSecret.optional(),
  WEBHOOK_SECRET_PREVIOUS: environmentSecret.optional(),
  WEBHOOK_MASTER_SECRET: environmentSecret.optional(),
  WEBHOOK_TOLERANCE_SECONDS: wholeNumber(1, 86_400).default(300),
  WEBHOOK_REMOVED_HOURS: wholeNumber(0, 8_760).default(72),
  QUEUE_URL: z
    .string()
    .refine((value) => parseQueueUrl(value).ok, {
      error: 'redis://…, rediss://…, redis+sentinel://…, postgres://… or embedded:FOLDER',
    })
    .default('embedded:.aftermeet'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  ADMIN_HOST: z.string().optional(),
  ADMIN_PORT: wholeNumber(0, 65_535).optional(),
  REUSE_PORT: z
    .enum(['0', '1'], { error: '1 or 0' })
    .default('0')
    .transform((value) => value === '1'),
  PUBLIC_URL: httpUrl.optional(),
  TRUSTED_PROXIES: proxyList.default([]),
  MAX_BODY_BYTES: wholeNumber(1024, 8 * 1024 * 1024).default(256 * 1024),
  ADMIN_TOKEN: environmentSecret.optional(),
  CONSOLE_TRUST_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, { error: 'the name of a header, such as X-Forwarded-User' })
    .transform((name) => name.toLowerCase())
    .optional(),
  ...destinationVariables,
  WORKER_PORT: wholeNumber(0, 65_535).optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'json or pretty' }).optional(),
});

export type EnvironmentValues = z.infer<typeof environmentSchema>;

/**
 * An IP address, or a range with its prefix length (RFC 4632, RFC 4291 2.3). A length of 0 would trust every peer. The
 * receiver maps `::ffff:10.0.0.1` to 10.0.0.1, so a range must be written as IPv4 too.
 */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  if (version === 6 && address.includes('.')) return false;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
