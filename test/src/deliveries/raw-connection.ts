import { connect } from 'node:net';

import { type RawAnswer, takeAnswer } from './raw-answer.ts';

/** A connection that sends exactly the bytes it is given. */
export interface RawConnection {
  send(bytes: Buffer | string): void;
  /** Says that nothing more will come, and goes on listening. */
  finish(): void;
  /** The next answer; undefined when the receiver has closed instead. Rejects when neither happens. */
  next(isBodyless?: boolean): Promise<RawAnswer | undefined>;
  /** All answers that are still to come, until the receiver closes. */
  rest(): Promise<RawAnswer[]>;
  /** Goes away without a word. */
  destroy(): void;
}

/** Long enough for a machine that is busy with other tests; a receiver that hangs fails by this. */
const PATIENCE_MS = 20_000;

export function openConnection(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset while we still send is a way to close; what came before it stays.
  socket.on('error', () => {});
  socket.on('close', () => {
    hasEnded = true;
    wake();
  });

  async function next(isBodyless = false): Promise<RawAnswer | undefined> {
    for (;;) {
      const taken = takeAnswer(received, hasEnded, isBodyless);
      if (taken !== undefined) {
        received = Buffer.from(taken.rest);
        return taken.answer;
      }
      if (hasEnded) return undefined;
      await moreOrEnd();
    }
  }

  function moreOrEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        reject(new Error(`neither an answer nor an end; so far: ${received.toString('latin1')}`));
        socket.destroy();
      }, PATIENCE_MS);
      wake = () => {
        clearTimeout(giveUp);
        resolve();
      };
    });
  }

  return {
    send: (bytes) => {
      socket.write(bytes);
    },
    finish: () => {
      socket.end();
    },
    next,
    rest: async () => {
      const answers: RawAnswer[] = [];
      for (let answer = await next(); answer !== undefined; answer = await next()) answers.push(answer);
      return answers;
    },
    destroy: () => {
      socket.destroy();
    },
  };
}
