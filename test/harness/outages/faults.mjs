import { setTimeout as pause } from 'node:timers/promises';

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
function storeOutage({ name, begin, end, inspect, canRead, isReachable, isBroughtBack = false }) {
  return {
    name,
    async run(round) {
      const { random, receivers } = round;
      // Longer than the receivers wait for a store that hangs.
      const lastsMs = random.between(1100, 1500);
      await begin(lastsMs);
      const fromMs = performance.now();
      // Short of the end: some faults end by themselves.
      const untilMs = fromMs + lastsMs - 50;
      if (!isBroughtBack)
        await Promise.all([checkHealth(round, { untilMs, isReachable }), pause(lastsMs - 50)]);
      await inspect?.(round);
      await end();
      const healedAtMs = performance.now();
      if (!isBroughtBack) round.away({ fromMs, untilMs, canRead });
      await round.untilRecovered(receivers, isBroughtBack ? fromMs : healedAtMs);
    },
  };
}

/** A balancer must learn that the store is away, and a supervisor must not end the process for it. */
async function checkHealth(round, { untilMs, isReachable = false }) {
  await pause(round.random.between(0, 100));
  await Promise.all(
    round.receivers.map(async ({ name, url }) => {
      const [health, ready] = await Promise.all([getStatus(`${url}/healthz`), getStatus(`${url}/readyz`)]);
      round.expect(health.status === 200, `/healthz of ${name} said ${health.status} in an outage`);
      round.most('slowestReadyzMs', ready.tookMs);
      round.within(`/readyz of ${name}`, ready.tookMs);
      if (isReachable || performance.now() > untilMs) return;
      round.expect(ready.status === 503, `/readyz of ${name} said ${ready.status} in an outage`);
    }),
  );
}

/** The status of a GET on a connection of its own, and how long it took; 0 where there was no answer. */
async function getStatus(url) {
  const startedMs = performance.now();
  const signal = AbortSignal.timeout(5000);
  const status = await fetch(url, { headers: { connection: 'close' }, signal }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, tookMs: performance.now() - startedMs };
}

const EXIT_WITHIN_MS = 10_000;

/** Faults of receivers. The first receiver lives through all of them: its memory is watched. */
const receiverDeaths = [
  {
    name: 'receiver killed and started again',
    async run(round) {
      const [, victim] = round.receivers;
      round.mayBreak(victim);
      await victim.end('SIGKILL');
      await pause(round.random.between(0, 300));
      await victim.start();
      round.mustHold(victim);
      await round.untilRecovered([victim], performance.now());
    },
  },
  {
    name: 'one of two receivers killed',
    failsOver: true,
    async run(round) {
      const [veteran, victim] = round.receivers;
      round.mayBreak(victim);
      const killedMs = performance.now();
      await victim.end('SIGKILL');
      await round.untilRecovered([veteran], killedMs);
      await pause(round.random.between(200, 500));
      await victim.start();
    },
  },
  {
    name: 'receiver told to stop under load',
    failsOver: true,
    async run(round) {
      const [, victim] = round.receivers;
      const askedMs = performance.now();
      round.stopped(victim, askedMs);
      const code = await victim.end('SIGTERM');
      const tookMs = performance.now() - askedMs;
      round.expect(code === 0, `a receiver that was told to stop ended with ${code}`);
      round.expect(tookMs < EXIT_WITHIN_MS, `a receiver took ${Math.round(tookMs)} ms to stop`);
      round.most('slowestStopMs', tookMs);
      await victim.start();
    },
  },
];

/** Every process dies in one moment, as when a container is thrown away, and all start again on the same data. */
export function everythingKilled(store) {
  const { begin, end } = store.faults.find(({ name }) => name === 'store killed');
  return {
    name: 'everything killed at once',
    async run(round) {
      const { receivers } = round;
      receivers.forEach(round.mayBreak);
      await Promise.all([begin(), ...receivers.map((receiver) => receiver.end('SIGKILL'))]);
      await pause(round.random.between(0, 200));
      await end();
      await Promise.all(receivers.map((receiver) => receiver.start()));
      receivers.forEach(round.mustHold);
      await round.untilRecovered(receivers, performance.now());
    },
  };
}
