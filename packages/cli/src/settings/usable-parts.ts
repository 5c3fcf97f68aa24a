import { formatAllowed, type Problem } from '@aftermeet/contract';
import { parseSchema } from '@aftermeet/contract/schema';
import type { z } from 'zod';

import type { SettingProblem } from '../errors.ts';
import { describeWritten, readMember } from './describe-written.ts';

/** A part is removed in one pass, and what needs it in the next ones; paths are shorter than this. */
const MAX_PASSES = 20;

interface UsableParts<Values> {
  /** All values if there is no problem, else what is left without the wrong ones; undefined if nothing can be judged. */
  readonly values: Values | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Validates the value, and again without each wrong part: other rules judge the rest, so that one list holds the
 * problems of all rules. `blanks` are values that stand in for a wrong entry of a section, whose name stays known.
 * Changes `value`.
 */
export function readUsableParts<Values>(
  schema: z.ZodType<Values>,
  value: unknown,
  blanks: Readonly<Record<string, () => unknown>>,
): UsableParts<Values> {
  const problems: Problem[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const checked = parseSchema(schema, value);
    if (checked.ok) return { values: checked.value, problems };
    // A rule for a whole object runs once its parts are right. What a removed part causes is no problem of its own.
    problems.push(
      ...checked.problems.filter(({ path }) => !problems.some((known) => overlap(known.path, path))),
    );
    // From the last one, so that the numbers of list entries before it stay right.
    for (const { path } of checked.problems.toReversed()) {
      const [section, name] = path;
      const makeBlank = typeof section === 'string' ? blanks[section] : undefined;
      if (path.length === 0 || (makeBlank !== undefined && name === undefined))
        return { values: undefined, problems };
      removeAt(value, path, makeBlank);
    }
  }
  return { values: undefined, problems };
}

/** A problem of a schema, as a problem of the settings; `written` is the file that can be quoted. */
export function toSettingProblem(problem: Problem, written?: unknown): SettingProblem {
  const setting = problem.path.length === 0 ? 'the file' : problem.path.join('.');
  if (problem.code === 'unknown') {
    return { setting, found: 'an unknown key', expected: formatAllowed(problem) };
  }
  const { received, expected = 'another value' } = problem;
  if (received === undefined) return { setting, found: 'nothing', expected };
  return { setting, found: describeWritten(written, problem.path, received), expected };
}

/** The known problems and those of later rules that they did not cause. */
export function joinProblems(
  known: readonly SettingProblem[],
  later: readonly SettingProblem[],
): readonly SettingProblem[] {
  return [...known, ...later.filter((problem) => !known.some((first) => isCause(first, problem)))];
}

/** A wrong part is judged once, and what contained it alone is not missing. */
function isCause({ setting }: SettingProblem, later: SettingProblem): boolean {
  return isWithin(later.setting, setting) || (later.found === 'nothing' && isWithin(setting, later.setting));
}

function isWithin(setting: string, whole: string): boolean {
  return setting === whole || setting.startsWith(`${whole}.`);
}

function overlap(one: Problem['path'], other: Problem['path']): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((part, index) => part === other[index]);
}

/** Removes what is at the path or, where nothing is, what should have had it. */
function removeAt(root: unknown, path: Problem['path'], makeBlank: (() => unknown) | undefined): void {
  const key = path.at(-1);
  const parent = path.slice(0, -1).reduce(readMember, root);
  if (key === undefined || typeof parent !== 'object' || parent === null) return;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (!Object.hasOwn(parent, key)) removeAt(root, path.slice(0, -1), makeBlank);
  else if (path.length === 2 && makeBlank !== undefined && !isBlank(Reflect.get(parent, key), makeBlank)) {
    Reflect.set(parent, key, makeBlank());
  } else Reflect.deleteProperty(parent, key);
}

/** A blank that is refused has a wrong name. */
function isBlank(value: unknown, makeBlank: () => unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(makeBlank());
}
