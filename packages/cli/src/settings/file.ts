import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { formatAllowed, parseSchema, type Problem } from '@aftermeet/contract';
import { isEndpointName } from '@aftermeet/receiver';
import { parseDocument } from 'yaml';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { secretSchema } from './environment.ts';
import { mailSchema, policiesSchema, reconcileSchema } from './sections.ts';
import type { Environment } from './settings.ts';

const plainName = z
  .string()
  .refine(isEndpointName, { error: 'letters, digits, dots, hyphens and underscores' });

/** `aftermeet.yaml`: endpoints with their secrets, recipes, policies, mail and reconciliation. */
const fileSchema = z.strictObject({
  endpoints: z
    .record(
      plainName,
      z.strictObject({
        secrets: z.array(secretSchema).min(1, { error: 'at least one secret' }).optional(),
        recipes: z.array(plainName).optional(),
        unsigned: z.literal('accept', { error: 'accept, or nothing' }).optional(),
      }),
    )
    .optional(),
  recipes: z
    .record(
      plainName,
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
const MAX_SECRET_FILE_BYTES = 4096;

type FileRead =
  | { readonly ok: true; readonly values: FileValues }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] };

/** Reads the text of a settings file; unknown keys are problems that name the nearest known one. */
export function readSettingsFile(
  text: string,
  environment: Environment,
  readSecretFile?: ReadSecretFile,
): FileRead {
  const document = parseDocument(text, { logLevel: 'silent', prettyErrors: false });
  // Warnings count too: an unknown tag is ignored, and it may have been meant to decode a secret.
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
    // The only possible error: aliases of aliases, which would fill the memory.
    return {
      ok: false,
      problems: [{ setting: 'the file', found: 'aliases that grow without end', expected: 'plain values' }],
    };
  }
  const filled = fillVariables(parsed, environment, readSecretFile);
  if (filled.problems.length > 0) return { ok: false, problems: filled.problems };
  const checked = parseSchema(fileSchema, filled.value);
  if (checked.ok) return { ok: true, values: checked.value };
  return { ok: false, problems: checked.problems.map(toSettingProblem) };
}

function toSettingProblem(problem: Problem): SettingProblem {
  const setting = problem.path.length === 0 ? 'the file' : problem.path.join('.');
  if (problem.code === 'unknown') {
    return { setting, found: 'an unknown key', expected: formatAllowed(problem) };
  }
  return { setting, found: problem.received ?? 'nothing', expected: problem.expected ?? 'another value' };
}

/** `${NAME}`, `${NAME:-default}` and `${file:/path}`. */
const reference = /\$\{(?:file:([^}]*)|([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?)\}/g;

/** Reads a small text file, such as a secret mounted into a container; undefined if it can't be read. */
export type ReadSecretFile = (path: string) => string | undefined;

/**
 * Fills `${NAME}`, `${NAME:-default}` and `${file:PATH}` in every text of a parsed file. Problems are a name that is
 * neither set nor has a default, and a file that can't be read, is empty or has white space around its text: no start is
 * better than an empty secret.
 */
function fillVariables(
  value: unknown,
  environment: Environment,
  readSecretFile: ReadSecretFile = () => undefined,
): { readonly value: unknown; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const fillVariable = (at: string, name: string, fallback: string | undefined): string => {
    // Own names only: every object has `toString`, which would become a well-known secret.
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (found !== undefined && found !== '') return found;
    if (fallback !== undefined) return fallback;
    problems.push({
      setting: at,
      found: `\${${name}}, which is not set`,
      expected: `the variable ${name}, or a default: \${${name}:-…}`,
    });
    return '';
  };
  const fillFile = (at: string, path: string): string => {
    const text = path === '' ? undefined : readSecretFile(path);
    if (text !== undefined && text !== '' && text.trim() === text) return text;
    if (text !== undefined && text !== '') {
      problems.push({
        setting: at,
        found: `\${file:${path}}, which begins or ends with white space`,
        expected: 'the value alone, with one line end after it at most',
      });
      return '';
    }
    problems.push({
      setting: at,
      found: `\${file:${path}}, ${text === '' ? 'which is empty' : "which can't be read"}`,
      expected: 'the path of a file of at most 4096 bytes',
    });
    return '';
  };
  const fill = (node: unknown, at: string): unknown => {
    if (typeof node === 'string') {
      return node.replace(
        reference,
        (_whole, path: string | undefined, name: string, fallback: string | undefined) =>
          path === undefined ? fillVariable(at, name, fallback) : fillFile(at, path),
      );
    }
    if (Array.isArray(node)) return node.map((item, index) => fill(item, `${at}.${index}`));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([key, item]) => [key, fill(item, at === '' ? key : `${at}.${key}`)]),
      );
    }
    return node;
  };
  return { value: fill(value, ''), problems };
}

/**
 * Reads secret files relative to the folder of the settings file. One line end is removed, which editors and `echo`
 * add. Undefined for anything but a regular file of UTF-8 text that is not too large.
 */
export function createSecretFileReader(folder: string): ReadSecretFile {
  return (path) => {
    try {
      const file = resolve(folder, path);
      const found = statSync(file);
      // A pipe would block the process until it is written to.
      if (!found.isFile() || found.size > MAX_SECRET_FILE_BYTES) return undefined;
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return decoder.decode(readFileSync(file)).replace(/\r?\n$/, '');
    } catch {
      return undefined;
    }
  };
}
