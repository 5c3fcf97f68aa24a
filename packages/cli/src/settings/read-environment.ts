import { type EnvironmentValues, environmentSchema, secretSettings } from './environment-schema.ts';
import type { SettingProblem } from './problem.ts';
import type { Environment } from './settings.ts';

export type EnvironmentRead =
  | { readonly ok: true; readonly values: EnvironmentValues }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Reads the variables of the environment that are ours; an empty one counts as not set. */
export function readEnvironment(environment: Environment): EnvironmentRead {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return { ok: true, values: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map((issue) => {
      const setting = String(issue.path[0]);
      return { setting, found: describeFound(setting, given[setting]), expected: issue.message };
    }),
  };
}

/** The value as it was found; of a secret its length, of an address no password. */
function describeFound(setting: string, value: string | undefined): string {
  if (value === undefined) return 'nothing';
  if (secretSettings.has(setting)) return `${value.length} characters`;
  return JSON.stringify(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 120));
}
