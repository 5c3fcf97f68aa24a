import { z } from 'zod';

import type { CommandContext } from '../context.ts';
import { WrongUse, wrongSettings } from '../errors.ts';
import type { SettingProblem } from '../errors.ts';
import { canQuote } from './hide-secrets.ts';
import { DEFAULT_PROFILE, readProfiles } from './profiles.ts';
import { fillSecretFiles } from './secret-files.ts';
import type { Environment, ServiceSettings } from './settings.ts';

/** An address without trailing slashes. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https address' })
  .transform((address) => address.replace(/\/+$/, ''));

/** Of the four headers of a delivery. */
export const headerPrefix = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]*$/, { error: 'letters, digits and hyphens, such as X-Service' })
  .default('X-Service');

/** The variables of the service, apart from the others so that commands that only call it load little. */
export const serviceVariables = {
  SERVICE_BASE_URL: httpUrl.optional(),
  /** Without `/mcp`; defaults to the base address. */
  SERVICE_MCP_URL: httpUrl.optional(),
  SERVICE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'a key of printable characters without spaces' })
    .optional(),
};

const serviceSchema = z.object(serviceVariables);

/** The service, if both its address and its key are set. */
export function readService(values: z.infer<typeof serviceSchema>): ServiceSettings | undefined {
  const { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey, SERVICE_MCP_URL: mcpUrl } = values;
  if (baseUrl === undefined || apiKey === undefined) return undefined;
  return { baseUrl, apiKey, ...(mcpUrl === undefined ? {} : { mcpUrl }) };
}

/** The prefix of the delivery headers, for a command that needs no other setting. Throws `WrongUse`. */
export function readHeaderPrefix(environment: Environment): string {
  const read = readVariables(z.object({ SERVICE_HEADER_PREFIX: headerPrefix }), environment);
  if (!read.ok) throw wrongSettings(read.problems);
  return read.values.SERVICE_HEADER_PREFIX;
}

const WITHOUT_ACCOUNT =
  '\nTo store both once: aftermeet login\nTo try it without an account: run aftermeet sandbox in another terminal, and here\n' +
  '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n';

/** Where the service of a command is looked for. */
type ServiceContext = Pick<CommandContext, 'environment' | 'fromEnvFile' | 'profile'>;

interface FoundService extends ServiceSettings {
  /** For people: `the environment`, `.env`, or the profile. */
  readonly source: string;
  /** Absent: of the environment. */
  readonly profile?: string;
}

/** The profile that `--profile` or `AFTERMEET_PROFILE` names. */
export function nameProfile({
  environment,
  profile,
}: Pick<ServiceContext, 'environment' | 'profile'>): string {
  const { AFTERMEET_PROFILE: named = '' } = environment;
  return profile() ?? (named === '' ? DEFAULT_PROFILE : named);
}

/** Checks what a person has given to `aftermeet login`. Throws `WrongUse`. */
export function readGivenService(
  baseUrl: string,
  apiKey: string,
  mcpUrl: string | undefined,
): ServiceSettings {
  const read = readVariables(serviceSchema, {
    SERVICE_BASE_URL: baseUrl,
    SERVICE_API_KEY: apiKey,
    SERVICE_MCP_URL: mcpUrl,
  });
  const service = read.ok ? readService(read.values) : undefined;
  if (service !== undefined) return service;
  const problems = read.ok ? [] : read.problems;
  const names: Readonly<Record<string, string>> = {
    SERVICE_BASE_URL: 'the address',
    SERVICE_API_KEY: 'the key',
    SERVICE_MCP_URL: '--mcp-url',
  };
  if (problems.length === 0) throw new WrongUse('Give both the address and the key.\n');
  throw wrongSettings(
    problems.map(({ setting, ...rest }) => ({ ...rest, setting: names[setting] ?? setting })),
  );
}

/**
 * The service that a command calls: of `--profile`, else of the environment and `.env`, else of a profile. Address and key of
 * a profile are used together, so that its key never goes to an address from elsewhere. Reads only the variables of the
 * service: a wrong PORT must not prevent a command that fetches a report. Undefined: there is none.
 */
export function findService(context: ServiceContext): FoundService | undefined {
  const { environment, fromEnvFile } = context;
  const isNamed = context.profile() !== undefined;
  const read = readVariables(serviceSchema, environment);
  if (!isNamed) {
    if (!read.ok) throw wrongSettings(read.problems);
    const service = readService(read.values);
    const { SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey } = read.values;
    if (service !== undefined) {
      const places = ['SERVICE_BASE_URL', 'SERVICE_API_KEY'].map((name) =>
        fromEnvFile.has(name) ? '.env' : 'the environment',
      );
      return { ...service, source: [...new Set(places)].join(' and ') };
    }
    if (baseUrl !== undefined || apiKey !== undefined) return undefined;
  }
  const name = nameProfile(context);
  const profiles = readProfiles(environment);
  const profile = profiles.get(name);
  if (profile !== undefined) return { ...profile, source: `the profile ${name}`, profile: name };
  if (name === DEFAULT_PROFILE && !isNamed) return undefined;
  const known = profiles.size === 0 ? 'none is stored' : `there are ${[...profiles.keys()].join(', ')}`;
  throw new WrongUse(`There is no profile ${JSON.stringify(name)}: ${known}. aftermeet login stores one.\n`);
}

/** The same; throws `WrongUse` with each missing variable. */
export function requireService(context: ServiceContext): FoundService {
  const service = findService(context);
  if (service !== undefined) return service;
  const read = readVariables(serviceSchema, context.environment);
  if (!read.ok) throw wrongSettings(read.problems);
  const missing = [
    ...(read.values.SERVICE_BASE_URL === undefined
      ? [{ setting: 'SERVICE_BASE_URL', found: 'nothing', expected: "the service's address" }]
      : []),
    ...(read.values.SERVICE_API_KEY === undefined
      ? [
          {
            setting: 'SERVICE_API_KEY',
            found: 'nothing',
            expected: 'the API key from the settings of your workspace',
          },
        ]
      : []),
  ];
  throw wrongSettings(missing, WITHOUT_ACCOUNT);
}

export type VariablesRead<Values> =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Validates the variables of the schema, and the files that hold some of them; an empty variable counts as not set. */
export function readVariables<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): VariablesRead<z.output<z.ZodObject<Shape>>> {
  const files = fillSecretFiles(environment);
  const fileProblems = files.problems.filter(({ setting }) => Object.hasOwn(schema.shape, setting));
  const given = Object.fromEntries(Object.entries(files.environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) {
    return fileProblems.length === 0
      ? { ok: true, values: parsed.data }
      : { ok: false, problems: fileProblems };
  }
  return {
    ok: false,
    problems: fileProblems.concat(
      parsed.error.issues.map((issue) => {
        const [name, entry] = issue.path;
        const setting = String(name);
        if (typeof entry !== 'number') {
          return { setting, found: describeFound(setting, given[setting]), expected: issue.message };
        }
        const text = given[setting]?.split(',')[entry]?.trim();
        return {
          setting,
          found: `${describeFound(setting, text)} as number ${entry + 1} of its list`,
          expected: issue.message,
        };
      }),
    ),
  };
}

/**
 * The value that was found, if it can't hold a secret. Of an address only the scheme: it is malformed, so its password
 * can't be separated.
 */
function describeFound(setting: string, value: string | undefined): string {
  if (value === undefined) return 'nothing';
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0];
  if (scheme !== undefined) return `${scheme}… (${value.length} characters)`;
  return canQuote([setting], value) ? JSON.stringify(value.slice(0, 120)) : `${value.length} characters`;
}
