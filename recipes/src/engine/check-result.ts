/** The result of one check. Contains no secrets and no content. */
export interface CheckResult {
  /** Name of the check, such as `Slack channel C0123`. */
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed';
  /** What was found. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

export function ok(name: string, found: string): CheckResult {
  return { name, result: 'ok', found };
}

export function failed(name: string, found: string, advice?: string): CheckResult {
  return { name, result: 'failed', found, advice };
}

export function warning(name: string, found: string, advice?: string): CheckResult {
  return { name, result: 'warning', found, advice };
}
