import { isEndpointName } from '@aftermeet/receiver';
import { suggestName } from '@aftermeet/recipes';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';

import { fillVariables } from './fill-variables.ts';
import type { SettingProblem } from './problem.ts';
import { secretSchema } from './secret-schema.ts';
import type { Environment } from './settings.ts';

const name = z.string().refine(isEndpointName, { error: 'letters, digits, dots, hyphens and underscores' });

/** `aftermeet.yaml`: endpoints with their secrets, and recipes. What it leaves out comes from the environment. */
const fileSchema = z.strictObject({
  endpoints: z
    .record(
      name,
      z.strictObject({
        secrets: z.array(secretSchema).min(1, { error: 'at least one secret' }).optional(),
        recipes: z.array(name).optional(),
      }),
    )
    .optional(),
  recipes: z
    .record(
      name,
      z.strictObject({
        use: z.string(),
        when: z.record(z.string(), z.unknown()).optional(),
        with: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
});

export type FileValues = z.infer<typeof fileSchema>;

const knownKeys = ['endpoints', 'recipes', 'secrets', 'use', 'when', 'with'];

export type FileRead =
  | { readonly ok: true; readonly values: FileValues }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Reads the text of a settings file; unknown keys are problems that name the nearest known one. */
export function readSettingsFile(text: string, environment: Environment): FileRead {
  let parsed: unknown;
  try {
    parsed = parse(text) ?? {};
  } catch (error) {
    const where = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? '?') : '?';
    return {
      ok: false,
      problems: [{ setting: `line ${where}`, found: 'text that is not YAML', expected: 'YAML' }],
    };
  }
  const filled = fillVariables(parsed, environment);
  if (filled.problems.length > 0) return { ok: false, problems: filled.problems };
  const checked = fileSchema.safeParse(filled.value);
  if (checked.success) return { ok: true, values: checked.data };
  return { ok: false, problems: checked.error.issues.flatMap((issue) => describeIssue(issue)) };
}

function describeIssue(issue: z.core.$ZodIssue): SettingProblem[] {
  const at = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') {
    return [{ setting: at === '' ? 'the file' : at, found: 'another value', expected: issue.message }];
  }
  return issue.keys.map((key) => ({
    setting: at === '' ? key : `${at}.${key}`,
    found: 'an unknown key',
    expected: suggestName(key, knownKeys),
  }));
}
