import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A question at a terminal. */
export interface Question {
  readonly text: string;
  /** The answer is not shown while it is typed. */
  readonly isSecret?: boolean;
}

/** Asks on stderr, so that a redirected stdout holds only the result. Undefined: Ctrl-C, or the end of the input. */
export function askAtTerminal({ text, isSecret = false }: Question): Promise<string | undefined> {
  let isMuted = false;
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve) => {
    let isAnswered = false;
    // Also after an answer, when nothing changes any more.
    lines.once('close', () => {
      if (isSecret || !isAnswered) process.stderr.write('\n');
      resolve(undefined);
    });
    lines.question(text, (answer) => {
      isAnswered = true;
      resolve(answer);
      lines.close();
    });
    isMuted = isSecret;
  });
}
