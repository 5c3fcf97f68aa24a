import type { Context } from '../context.ts';
import { runProgram } from '../program.ts';
import { findJsonFaults } from './json-shape.ts';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process with only the given context, by default without a terminal. */
export async function runAftermeet(words: readonly string[], context: Partial<Context> = {}): Promise<Run> {
  let stdout = '';
  let stderr = '';
  const decoder = new TextDecoder();
  const code = await runProgram(words, {
    environment: {},
    isTerminal: false,
    write: (text) => {
      stdout += text;
    },
    writeBytes: async (bytes) => {
      stdout += decoder.decode(bytes, { stream: true });
    },
    writeError: (text) => {
      stderr += text;
    },
    ...context,
  });
  if (words.includes('--json')) checkJson(words, stdout, stderr);
  return { code, stdout, stderr };
}

/** Every test that asks for JSON holds it against the one schema. */
function checkJson(words: readonly string[], stdout: string, stderr: string): void {
  const texts = [stdout, ...stderr.split('\n').filter((line) => line.startsWith('{"error":'))];
  for (const text of texts.filter((each) => each.startsWith('{') || each.startsWith('['))) {
    const faults = findJsonFaults(JSON.parse(text));
    if (faults.length > 0) throw new Error(`aftermeet ${words.join(' ')}: ${faults.join('; ')}`);
  }
}

/** Piped input. */
export function pipe(...texts: readonly string[]): NonNullable<Context['openInput']> {
  return async function* openInput() {
    for (const text of texts) yield Buffer.from(text);
  };
}
