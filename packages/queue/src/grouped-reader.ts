interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads together what is asked for in one turn of the event loop, at most `maxGroup` keys in one step, and what is asked for
 * during `maxInFlight` steps in the next one. `read` answers in the order of its keys. What is asked for together fails
 * together, unless there is an error in the place of an answer.
 */
export function groupReads<Key, Answer>(
  read: (keys: readonly Key[]) => Promise<readonly (Answer | Error)[]>,
  maxGroup: number,
  maxInFlight = Infinity,
): (key: Key) => Promise<Answer> {
  const waiting: Asked<Key, Answer>[] = [];
  let inFlight = 0;
  let isStartScheduled = false;

  async function readGroup(group: readonly Asked<Key, Answer>[]): Promise<void> {
    try {
      const answers = await read(group.map(({ key }) => key));
      if (answers.length !== group.length) throw new Error('a read gave another number of answers');
      for (const [index, answer] of answers.entries()) {
        if (answer instanceof Error) group[index]?.reject(answer);
        else group[index]?.resolve(answer);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    inFlight -= 1;
    start();
  }

  function start(): void {
    isStartScheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      inFlight += 1;
      void readGroup(waiting.splice(0, maxGroup));
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (isStartScheduled || inFlight >= maxInFlight) return;
      isStartScheduled = true;
      setImmediate(start);
    });
}
