import type { Context } from '../context.ts';
import { runProgram } from '../program.ts';

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
  return { code, stdout, stderr };
}

/** Piped input. */
export function pipe(...texts: readonly string[]): NonNullable<Context['openInput']> {
  return async function* openInput() {
    for (const text of texts) yield Buffer.from(text);
  };
}
