/** A setting that can't be used: which, what was found (never a secret), and what is expected. */
export interface SettingProblem {
  readonly setting: string;
  readonly found: string;
  readonly expected: string;
}

/** One problem a line, as the commands print it before they exit with 2. */
export function formatProblems(problems: readonly SettingProblem[]): string {
  return problems.map(formatProblem).join('\n');
}

export function formatProblem({ setting, found, expected }: SettingProblem): string {
  return `${setting}: found ${found}; expected ${expected}`;
}
