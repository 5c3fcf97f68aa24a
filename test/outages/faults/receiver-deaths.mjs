import { setTimeout as pause } from 'node:timers/promises';

const EXIT_WITHIN_MS = 10_000;

/** Faults of receivers. The first receiver of a world lives through all of them: its memory is watched. */
export const receiverDeaths = [
  {
    name: 'receiver killed and started again',
    async play(world) {
      const [, victim] = world.receivers;
      world.judge.mayBreak(victim.name);
      await victim.end('SIGKILL');
      await pause(world.random.between(0, 300));
      const startedMs = performance.now();
      await victim.start();
      world.judge.mustHold(victim.name);
      world.judge.took('start', performance.now() - startedMs);
      await world.untilRecovered([victim], performance.now());
    },
  },
  {
    name: 'one of two receivers killed',
    failsOver: true,
    async play(world) {
      const [veteran, victim] = world.receivers;
      world.judge.mayBreak(victim.name);
      const killedMs = performance.now();
      await victim.end('SIGKILL');
      await world.untilRecovered([veteran], killedMs);
      await pause(world.random.between(200, 500));
      await victim.start();
    },
  },
  {
    name: 'receiver told to stop under load',
    failsOver: true,
    async play(world) {
      const [, victim] = world.receivers;
      const askedMs = performance.now();
      world.judge.stopped(victim.name, askedMs);
      const code = await victim.end('SIGTERM');
      const tookMs = performance.now() - askedMs;
      world.judge.expect(code === 0, `a receiver that was told to stop ended with ${code}`);
      world.judge.expect(tookMs < EXIT_WITHIN_MS, `a receiver took ${Math.round(tookMs)} ms to stop`);
      world.judge.took('SIGTERM', tookMs);
      await victim.start();
    },
  },
];
