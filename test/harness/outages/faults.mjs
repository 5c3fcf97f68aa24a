import { setTimeout as pause } from 'node:timers/promises';

import { getStatus } from './load.mjs';

/** Every fault that can be injected into a store and its receivers. */
export function listFaults(store) {
  return [...store.faults.map(storeOutage), ...receiverDeaths];
}

/** As many faults as rounds: all of them in random order, then all again in another order. */
export function planRounds(faults, rounds, random) {
  const plan = random.shuffle(faults);
  while (plan.length < rounds) plan.push(...random.shuffle(faults));
  return plan.slice(0, rounds);
}

/** A fault of the store under load, as a round runs it. `inspect` looks at the store while it is away. */
function storeOutage({
  name,
  begin,
  end,
  inspect,
  canRead = false,
  isReachable = false,
  isBroughtBack = false,
}) {
  return {
    name,
    async run(state) {
      const { random, receivers, assertions } = state;
      // Longer than the receivers wait for a store that hangs.
      const lastsMs = random.between(1100, 1500);
      await begin(lastsMs);
      const fromMs = performance.now();
      // Short of the end: some faults end by themselves.
      const untilMs = fromMs + lastsMs - 50;
      if (!isBroughtBack) {
        await Promise.all([checkHealth(state, { untilMs, isReachable }), pause(lastsMs - 50)]);
      }
      await inspect?.(assertions);
      await end();
      const healedAtMs = performance.now();
      if (!isBroughtBack) assertions.away({ fromMs, untilMs, canRead });
      await state.untilRecovered(receivers, isBroughtBack ? fromMs : healedAtMs);
    },
  };
}

/** A balancer must learn that the store is away, and a supervisor must not end the process for it. */
async function checkHealth({ receivers, assertions, random }, { untilMs, isReachable }) {
  await pause(random.between(0, 100));
  await Promise.all(
    receivers.map(async ({ name, url }) => {
      const [health, ready] = await Promise.all([getStatus(`${url}/healthz`), getStatus(`${url}/readyz`)]);
      assertions.expect(
        health.status === 200,
        `/healthz of ${name} said ${health.status} while the store was away`,
      );
      assertions.took('readyz', ready.tookMs);
      if (isReachable || performance.now() > untilMs) return;
      assertions.expect(
        ready.status === 503,
        `/readyz of ${name} said ${ready.status} while the store was away`,
      );
    }),
  );
}

const EXIT_WITHIN_MS = 10_000;

/** Faults of receivers. The first receiver of a state lives through all of them: its memory is watched. */
const receiverDeaths = [
  {
    name: 'receiver killed and started again',
    async run(state) {
      const [, victim] = state.receivers;
      state.assertions.mayBreak(victim.name);
      await victim.end('SIGKILL');
      await pause(state.random.between(0, 300));
      const startedMs = performance.now();
      await victim.start();
      state.assertions.mustHold(victim.name);
      state.assertions.took('start', performance.now() - startedMs);
      await state.untilRecovered([victim], performance.now());
    },
  },
  {
    name: 'one of two receivers killed',
    failsOver: true,
    async run(state) {
      const [veteran, victim] = state.receivers;
      state.assertions.mayBreak(victim.name);
      const killedMs = performance.now();
      await victim.end('SIGKILL');
      await state.untilRecovered([veteran], killedMs);
      await pause(state.random.between(200, 500));
      await victim.start();
    },
  },
  {
    name: 'receiver told to stop under load',
    failsOver: true,
    async run(state) {
      const [, victim] = state.receivers;
      const askedMs = performance.now();
      state.assertions.stopped(victim.name, askedMs);
      const code = await victim.end('SIGTERM');
      const tookMs = performance.now() - askedMs;
      state.assertions.expect(code === 0, `a receiver that was told to stop ended with ${code}`);
      state.assertions.expect(tookMs < EXIT_WITHIN_MS, `a receiver took ${Math.round(tookMs)} ms to stop`);
      state.assertions.took('SIGTERM', tookMs);
      await victim.start();
    },
  },
];

/** Every process dies in one moment, as when a container is thrown away, and all start again on the same data. */
export function everythingKilled(store) {
  const { begin, end } = store.faults.find(({ name }) => name === 'store killed');
  return {
    name: 'everything killed at once',
    async run({ receivers, assertions, random, untilRecovered }) {
      for (const { name } of receivers) assertions.mayBreak(name);
      await Promise.all([begin(), ...receivers.map((receiver) => receiver.end('SIGKILL'))]);
      await pause(random.between(0, 200));
      await end();
      await Promise.all(receivers.map((receiver) => receiver.start()));
      for (const { name } of receivers) assertions.mustHold(name);
      await untilRecovered(receivers, performance.now());
    },
  };
}
