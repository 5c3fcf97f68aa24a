import { setTimeout as pause } from 'node:timers/promises';

import { getStatus } from '../load/post.mjs';

/** A fault of the store under load, as a round plays it. `inspect` looks at the store while it is away. */
export function storeOutage({
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
    async play(world) {
      const { random, receivers, judge } = world;
      // Longer than the receivers wait for a store that hangs.
      const lastsMs = random.between(1100, 1500);
      await begin(lastsMs);
      const fromMs = performance.now();
      // Short of the end: some faults end by themselves.
      const untilMs = fromMs + lastsMs - 50;
      if (!isBroughtBack) {
        await Promise.all([checkHealth(world, { untilMs, isReachable }), pause(lastsMs - 50)]);
      }
      await inspect?.(judge);
      await end();
      const healedAtMs = performance.now();
      if (!isBroughtBack) judge.away({ fromMs, untilMs, canRead });
      await world.untilRecovered(receivers, isBroughtBack ? fromMs : healedAtMs);
    },
  };
}

/** A balancer must learn that the store is away, and a supervisor must not end the process for it. */
async function checkHealth({ receivers, judge, random }, { untilMs, isReachable }) {
  await pause(random.between(0, 100));
  await Promise.all(
    receivers.map(async ({ name, url }) => {
      const [health, ready] = await Promise.all([getStatus(`${url}/healthz`), getStatus(`${url}/readyz`)]);
      judge.expect(
        health.status === 200,
        `/healthz of ${name} said ${health.status} while the store was away`,
      );
      judge.took('readyz', ready.tookMs);
      if (isReachable || performance.now() > untilMs) return;
      judge.expect(ready.status === 503, `/readyz of ${name} said ${ready.status} while the store was away`);
    }),
  );
}
