import { setTimeout as pause } from 'node:timers/promises';

/** Every process dies in one moment, as when a container is thrown away, and all start again on the same data. */
export function everythingKilled(store) {
  const { begin, end } = store.faults.find(({ name }) => name === 'store killed');
  return {
    name: 'everything killed at once',
    async play({ receivers, judge, random, untilRecovered }) {
      for (const { name } of receivers) judge.mayBreak(name);
      await Promise.all([begin(), ...receivers.map((receiver) => receiver.end('SIGKILL'))]);
      await pause(random.between(0, 200));
      await end();
      await Promise.all(receivers.map((receiver) => receiver.start()));
      for (const { name } of receivers) judge.mustHold(name);
      await untilRecovered(receivers, performance.now());
    },
  };
}
