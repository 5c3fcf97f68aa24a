import { suggestName } from '@aftermeet/contract';
import { isEndpointName } from '@aftermeet/receiver';
import { parseDocument } from 'yaml';
import { z } from 'zod';

import { fillVariables, type ReadSecretFile } from './fill-variables.ts';
import { mailKeys, mailSchema } from './mail-schema.ts';
import { destinationKeys, policiesSchema } from './policies-schema.ts';
import type { SettingProblem } from './problem.ts';
import { reconcileKeys, reconcileSchema } from './reconcile-schema.ts';
import { secretSchema } from './secret-schema.ts';
import type { Environment } from './settings.ts';

const name = z.string().refine(isEndpointName, { error: 'letters, digits, dots, hyphens and underscores' });

/** `aftermeet.yaml`: endpoints with their secrets, recipes, and how the worker goes about it. What it leaves out comes from the environment. */
const fileSchema = z.strictObject({
  endpoints: z
    .record(
      name,
      z.strictObject({
        secrets: z.array(secretSchema).min(1, { error: 'at least one secret' }).optional(),
        recipes: z.array(name).optional(),
        unsigned: z.literal('accept', { error: 'accept, or nothing' }).optional(),
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
  destinations: policiesSchema.optional(),
  mail: mailSchema.optional(),
  reconcile: reconcileSchema.optional(),
});

export type FileValues = z.infer<typeof fileSchema>;

const yamlHint = 'YAML, with quotes around a text that holds ${…}, a colon or a bracket';

const MAX_ALIASES = 100;

/** The keys of each level, by how deep it lies. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const [section, entry] = path;
  if (section === undefined) return Object.keys(fileSchema.shape);
  if (section === 'destinations') return destinationKeys(entry);
  if (section === 'mail') return mailKeys(entry);
  if (section === 'reconcile') return reconcileKeys;
  return section === 'endpoints' ? ['secrets', 'recipes', 'unsigned'] : ['use', 'when', 'with'];
}

export type FileRead =
  | { readonly ok: true; readonly values: FileValues }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Reads the text of a settings file; unknown keys are problems that name the nearest known one. */
export function readSettingsFile(
  text: string,
  environment: Environment,
  readSecretFile?: ReadSecretFile,
): FileRead {
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false });
  // Warnings too: a tag that is not known is left out, and with it perhaps what it was to do to a secret.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const line = text.slice(0, fault.pos[0]).split('\n').length;
    return {
      ok: false,
      problems: [
        { setting: `line ${line}`, found: `what YAML does not allow (${fault.code})`, expected: yamlHint },
      ],
    };
  }
  let parsed: unknown;
  try {
    parsed = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  } catch {
    // The one thing that can go wrong here: aliases of aliases, which would fill the memory.
    return {
      ok: false,
      problems: [{ setting: 'the file', found: 'aliases that grow without end', expected: 'plain values' }],
    };
  }
  const filled = fillVariables(parsed, environment, readSecretFile);
  if (filled.problems.length > 0) return { ok: false, problems: filled.problems };
  const checked = fileSchema.safeParse(filled.value);
  if (checked.success) return { ok: true, values: checked.data };
  return { ok: false, problems: checked.error.issues.flatMap((issue) => describeIssue(issue)) };
}

function describeIssue(issue: z.core.$ZodIssue): SettingProblem[] {
  const at = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') {
    return [
      {
        setting: at === '' ? 'the file' : at,
        found: 'another value',
        expected: describeExpected(issue.message),
      },
    ];
  }
  return issue.keys.map((key) => ({
    setting: at === '' ? key : `${at}.${key}`,
    found: 'an unknown key',
    expected: suggestName(key, knownKeys(issue.path)),
  }));
}

/** zod's own messages begin with words that ours say already. */
function describeExpected(message: string): string {
  if (message === 'Invalid key in record') return 'a name of letters, digits, dots, hyphens and underscores';
  return message.replace(/^Invalid input: expected /, '').replace(/, received .*$/, '');
}
