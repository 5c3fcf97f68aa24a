import { z } from 'zod';

import { wrongSettings } from '../errors.ts';
import type { SettingProblem } from '../errors.ts';
import { canQuote } from './hide-secrets.ts';
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
  '\nTo try it without an account: run aftermeet sandbox in another terminal, and here\n' +
  '  export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key\n';

/**
 * The service that a command calls. Reads only the three variables of the service: a wrong PORT must not prevent a
 * command that fetches a report. Throws `WrongUse` with each missing variable.
 */
export function requireService(environment: Environment): ServiceSettings {
  const read = readVariables(serviceSchema, environment);
  if (!read.ok) throw wrongSettings(read.problems);
  const service = readService(read.values);
  if (service !== undefined) return service;
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
