import type { z } from 'zod';

import type { SettingProblem } from './problem.ts';
import type { Environment } from './settings.ts';

export type VariablesRead<Values> =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Settings whose value never appears in a message. */
const secretSettings: ReadonlySet<string> = new Set([
  'SERVICE_API_KEY',
  'WEBHOOK_SECRET',
  'WEBHOOK_SECRET_PREVIOUS',
  'WEBHOOK_MASTER_SECRET',
  'ADMIN_TOKEN',
  'SLACK_BOT_TOKEN',
  'NOTION_TOKEN',
]);

/** Reads the variables that the schema knows; an empty one counts as not set. */
export function readVariables<Values>(
  schema: z.ZodType<Values>,
  environment: Environment,
): VariablesRead<Values> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, values: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map((issue) => {
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
  };
}

/**
 * The value as it was found, where it can't hold a secret. Of an address only the scheme: this one could not
 * be read, so nobody knows where its password begins and ends.
 */
function describeFound(setting: string, value: string | undefined): string {
  if (value === undefined) return 'nothing';
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0];
  if (scheme !== undefined) return `${scheme}… (${value.length} characters)`;
  const mayHoldSecret = secretSettings.has(setting) || (setting.endsWith('_URL') && /[:@?]/.test(value));
  return mayHoldSecret ? `${value.length} characters` : JSON.stringify(value.slice(0, 120));
}
