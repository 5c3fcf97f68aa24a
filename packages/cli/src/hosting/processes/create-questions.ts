/** Questions to another process: each is answered once, or given up. */
export interface Questions<Answer> {
  /** `send` gets the number that the answer has to carry. Undefined when there was no answer in time. */
  ask(send: (id: number) => void, withinMs: number): Promise<Answer | undefined>;
  /** The answer has come; one that nobody waits for any more counts for nothing. */
  settle(id: number, answer: Answer): void;
}

export function createQuestions<Answer>(): Questions<Answer> {
  const open = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    ask(send, withinMs) {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        const giveUp = setTimeout(() => finish(undefined), withinMs);
        const finish = (answer: Answer | undefined): void => {
          clearTimeout(giveUp);
          open.delete(id);
          resolve(answer);
        };
        open.set(id, finish);
        send(id);
      });
    },
    settle: (id, answer) => open.get(id)?.(answer),
  };
}
