/** What stands in front of a store: once it is closed nobody waits for the store any more. */
export interface Gate {
  /** Settles as the command does, or rejects when the gate is closed. What was asked may be done all the same. */
  pass<Answer>(command: () => Promise<Answer>): Promise<Answer>;
  close(): void;
}

export function createGate(): Gate {
  // Not a race against one promise: that would keep a note of everything that ever passed.
  const waiting = new Set<(error: Error) => void>();
  let isClosed = false;
  return {
    pass: (command) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closedError());
          return;
        }
        waiting.add(reject);
        const leave = (): boolean => waiting.delete(reject);
        command().finally(leave).then(resolve, reject);
      }),
    close() {
      isClosed = true;
      for (const reject of waiting) reject(closedError());
      waiting.clear();
    },
  };
}

function closedError(): Error {
  return new Error('the store was closed meanwhile');
}
