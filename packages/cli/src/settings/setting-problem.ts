import { formatAllowed, type Problem } from '@aftermeet/contract';

import type { SettingProblem } from '../errors.ts';

/** A problem of a schema, as a problem of the settings. */
export function toSettingProblem(problem: Problem): SettingProblem {
  const setting = problem.path.length === 0 ? 'the file' : problem.path.join('.');
  if (problem.code === 'unknown') {
    return { setting, found: 'an unknown key', expected: formatAllowed(problem) };
  }
  return { setting, found: problem.received ?? 'nothing', expected: problem.expected ?? 'another value' };
}
