import { describe, expect, it } from 'vitest';

import { reportFailure, WrongUse } from './errors.ts';
import { runAftermeet } from './testing/run-aftermeet.ts';

describe('what is said of wrong use', () => {
  it('repeats nothing that a terminal would obey', async () => {
    const { code, stderr } = await runAftermeet(['search', '--limit', '\u001B]0;x\u0007nine\u202E']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: option '--limit <number>' argument 'nine' is invalid\./);
    expect(stderr).toContain('\n(add --help');
  });

  it('stays in its lines', async () => {
    let stderr = '';
    const writeError = (text: string): void => {
      stderr += text;
    };
    const context = { environment: {}, isTerminal: false, write: () => {}, writeError };
    expect(await reportFailure(new WrongUse('a\u009B31m\nb\n'), context, false)).toBe(2);
    expect(stderr).toBe('a\nb\n');
  });
});
