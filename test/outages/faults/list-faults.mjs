import { execFileSync } from 'node:child_process';

import { processGroupDeath } from './process-group.mjs';
import { receiverDeaths } from './receiver-deaths.mjs';
import { storeOutage } from './store-outage.mjs';

/** Every fault that can be played on a store with this build. */
export function listFaults(store, main) {
  return [
    ...store.faults.map(storeOutage),
    ...receiverDeaths,
    ...(hasProcesses(main) ? [processGroupDeath] : []),
  ];
}

/** As many faults as rounds: all of them in a mixed order, then again in another those that are not too dear. */
export function planRounds(faults, rounds, random) {
  const plan = random.shuffle(faults);
  const again = faults.filter(({ isPlayedOnce = false }) => !isPlayedOnce);
  while (plan.length < rounds) plan.push(...random.shuffle(again.length > 0 ? again : faults));
  return plan.slice(0, rounds);
}

function hasProcesses(main) {
  return execFileSync(process.execPath, [main, 'receiver', '--help'], { encoding: 'utf8' }).includes(
    '--processes',
  );
}
