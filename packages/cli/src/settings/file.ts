import { isEndpointName } from '@aftermeet/receiver';
import { destinationsSchema, languageSchema, mailSchema, timezoneSchema } from '@aftermeet/recipes';
import { type Document, parseDocument, visit } from 'yaml';
import { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { secretSchema } from './environment.ts';
import { reconcileSchema } from './reconcile.ts';
import { describeSecretText, type ReadSecretFile } from './secret-files.ts';
import type { Environment } from './settings.ts';
import { joinProblems, readUsableParts, toSettingProblem } from './usable-parts.ts';

const plainName = z
  .string()
  .refine(isEndpointName, { error: 'letters, digits, dots, hyphens and underscores' });

/** `aftermeet.yaml`: endpoints with their secrets, recipes, destinations, mail and reconciliation. */
export const fileSchema = z.strictObject({
  endpoints: z
    .record(
      plainName,
      z.strictObject({
        secrets: z
          .array(secretSchema)
          .min(1, { error: 'at least one secret' })
          .optional()
          .describe(
            'Secrets that sign its deliveries: the new one first, then the old one during a rotation.',
          ),
        recipes: z
          .array(plainName)
          .optional()
          .describe('The recipes that its deliveries run; without it all of them.'),
        unsigned: z
          .literal('accept', { error: 'accept, or nothing' })
          .optional()
          .describe('accept: takes unsigned deliveries, as a reason to fetch the report.'),
      }),
    )
    .optional()
    .describe('Addresses of the receiver, /hooks/NAME, with their secrets.'),
  removed: z
    .array(plainName)
    .optional()
    .describe(
      'Endpoints that were removed on purpose. Their deliveries get 503, which the service repeats, for WEBHOOK_REMOVED_HOURS, then 404.',
    ),
  recipes: z
    .record(
      plainName,
      z.strictObject({
        use: z.string(),
        when: z.record(z.string(), z.unknown()).optional(),
        with: z.record(z.string(), z.unknown()).optional(),
        approve: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  destinations: destinationsSchema
    .optional()
    .describe('How destinations are treated, and destinations of your own (use: ./teams.ts).'),
  language: languageSchema
    .optional()
    .describe('Language of the fixed words and of dates in messages: en, de, fr, es, pt or ja. Default: en.'),
  timezone: timezoneSchema
    .optional()
    .describe('Time zone of messages, such as Europe/Berlin. Default: the local time of each meeting.'),
  mail: mailSchema.optional().describe('Mail, besides the variables of the mail server.'),
  /** A list, or the file that holds it: readPeople says what is wrong with either. */
  people: z.unknown().optional(),
  reconcile: reconcileSchema.optional().describe('Looks for finished meetings whose delivery never came.'),
});

export type FileValues = z.infer<typeof fileSchema>;

const yamlHint = 'YAML, with quotes around a text that holds ${…}, a colon or a bracket';

const MAX_ALIASES = 100;

/** Faults that leave the structure of the file as it was meant, so that the rest can be judged. */
const harmlessFaults: ReadonlySet<string> = new Set([
  'BAD_SCALAR_START',
  'DUPLICATE_KEY',
  'MULTIPLE_DOCS',
  'TAG_RESOLVE_FAILED',
]);

/** Stand in for an entry that is wrong: what names it is judged all the same. */
const blanks = { endpoints: () => ({}), recipes: () => ({ use: '' }) };

type FileRead =
  | { readonly ok: true; readonly values: FileValues }
  | {
      readonly ok: false;
      readonly problems: readonly SettingProblem[];
      /** What is left without the wrong parts; undefined if nothing of the file can be judged. */
      readonly values: FileValues | undefined;
    };

/** Reads the text of a settings file; unknown keys are problems that name the nearest known one. */
export function readSettingsFile(
  text: string,
  environment: Environment,
  readSecretFile?: ReadSecretFile,
): FileRead {
  // The level `silent` would hide a second document.
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: false });
  // Warnings count too: an unknown tag is ignored, and it may have been meant to decode a secret.
  const faults = [...document.errors, ...document.warnings].toSorted(
    (one, other) => one.pos[0] - other.pos[0],
  );
  const problems = [
    ...faults.map(({ code, pos: [at] }) => describeFault(text, at, `what YAML does not allow (${code})`)),
    ...listLostAliases(document).map((at) => describeFault(text, at, 'an alias (*) of nothing above it')),
  ];
  if (problems.length > faults.length || !faults.every(({ code }) => harmlessFaults.has(code))) {
    return { ok: false, values: undefined, problems };
  }
  let parsed: unknown;
  try {
    parsed = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
    // Throws if an alias stands in what it is the alias of.
    JSON.stringify(parsed);
  } catch {
    // The only possible error: aliases of aliases, which would fill the memory.
    const endless = { setting: 'the file', found: 'aliases that grow without end', expected: 'plain values' };
    return { ok: false, values: undefined, problems: [...problems, endless] };
  }
  const filled = fillVariables(parsed, environment, readSecretFile);
  const read = readUsableParts(fileSchema, filled.value, blanks);
  const { values } = read;
  const all = joinProblems(
    [...problems, ...filled.problems],
    read.problems.map((problem) => toSettingProblem(problem, parsed)),
  );
  return values !== undefined && all.length === 0
    ? { ok: true, values }
    : { ok: false, values, problems: all };
}

/** The file as it is written: an error can show it without the values of variables. Only for a file that has values. */
export function readWrittenFile(text: string): unknown {
  return parseDocument(text, { logLevel: 'error' }).toJS({ maxAliasCount: MAX_ALIASES });
}

function describeFault(text: string, at: number, found: string): SettingProblem {
  return { setting: `line ${text.slice(0, at).split('\n').length}`, found, expected: yamlHint };
}

/** The positions of aliases without an anchor. Their names may be secrets that begin with an asterisk. */
function listLostAliases(document: Document.Parsed): readonly number[] {
  const positions: number[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) === undefined) positions.push(alias.range?.[0] ?? 0);
    },
  });
  return positions;
}

/** `${NAME}`, `${NAME:-default}` and `${file:/path}`. */
const reference = /\$\{(?:file:([^}]*)|([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?)\}/g;

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
    const fault = describeSecretText(text);
    if (text !== undefined && fault === undefined) return text;
    const hasText = text !== undefined && text !== '';
    problems.push({
      setting: at,
      found: `\${file:${path}}, ${fault}`,
      expected: hasText
        ? 'the value alone, with one line end after it at most'
        : 'the path of a file of at most 4096 bytes',
    });
    return '';
  };
  const fill = (node: unknown, at: string): unknown => {
    if (typeof node === 'string') {
      const known = problems.length;
      const filled = node.replace(
        reference,
        (_whole, path: string | undefined, name: string, fallback: string | undefined) =>
          path === undefined ? fillVariable(at, name, fallback) : fillFile(at, path),
      );
      // A text with a gap would be judged as if it were meant so.
      return problems.length > known ? undefined : filled;
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
