import { formatProblems, type SettingProblem } from './settings/problem.ts';

/** Ends a command with exit code 2 and says what to mend. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** `advice` is whole lines that come after the problems. */
export function wrongSettings(problems: readonly SettingProblem[], advice = ''): WrongUse {
  return new WrongUse(`These settings can't be used:\n\n${formatProblems(problems)}\n${advice}`);
}
