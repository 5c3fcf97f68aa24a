import { formatProblems, type SettingProblem } from './settings/problem.ts';

/** Ends a command with exit code 2 and says what to mend. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

export function wrongSettings(problems: readonly SettingProblem[]): WrongUse {
  return new WrongUse(`These settings can't be used:\n\n${formatProblems(problems)}\n`);
}
