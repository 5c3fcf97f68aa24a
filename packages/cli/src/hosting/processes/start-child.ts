import cluster from 'node:cluster';

import { describeError } from '@aftermeet/queue';

import { closeLostConnection } from './close-lost-connection.ts';
import type { StartChild } from './member.ts';
import { PROCESS_MARK } from './process-mark.ts';

/**
 * Prepares node:cluster. Connections go round: the primary accepts each and hands it to the next process. Left to the
 * system, the process that wakes first takes all connections of a burst, and a proxy that keeps them open would
 * leave the others idle. `reusePort` spreads them too, but what waits at a process that stops is reset.
 */
export function prepareChildren(): void {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // Maps go through the channel as they are.
  cluster.setupPrimary({ serialization: 'advanced' });
}

export const startChild: StartChild = ({ onMessage, onExit }) => {
  const worker = cluster.fork({ [PROCESS_MARK]: 'yes' });
  closeLostConnection(worker);
  worker.on('message', onMessage);
  worker.on('exit', (code: number | null, signal: string | null) => onExit(signal ?? `exit code ${code}`));
  worker.on('error', (error) => {
    // What could not be started does not exit either. Of a channel that breaks the exit tells.
    if (worker.process.pid === undefined) onExit(describeError(error));
  });
  return {
    tell: (message) => {
      if (worker.isConnected()) worker.send(message, () => {});
    },
    kill: () => {
      worker.process.kill('SIGKILL');
    },
  };
};
