interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads together what is asked for in one turn of the event loop, at most `maxGroup` keys in one step. `read` answers in
 * the order of its keys. What is asked for together fails together.
 */
export function groupReads<Key, Answer>(
  read: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  maxGroup: number,
): (key: Key) => Promise<Answer> {
  let waiting: Asked<Key, Answer>[] = [];

  async function readGroup(group: readonly Asked<Key, Answer>[]): Promise<void> {
    try {
      const answers = await read(group.map(({ key }) => key));
      if (answers.length !== group.length) throw new Error('a read gave another number of answers');
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function start(): void {
    const asked = waiting;
    waiting = [];
    for (let at = 0; at < asked.length; at += maxGroup) void readGroup(asked.slice(at, at + maxGroup));
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length === 1) setImmediate(start);
    });
}
