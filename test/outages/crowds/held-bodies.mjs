import { forgetPeak, readMemory } from '../processes/processes.mjs';
import { countStatuses, openRawSenders } from './raw-senders.mjs';
import { writeHead } from './slow-senders.mjs';

const LONGEST_BODY = 256 * 1024;
// A body in pieces grows by doubling: up to twice the budget of 64 MiB, and what the collector has not taken yet.
const MAY_GROW_MB = 170;
const ENDED_WITHIN_MS = 20_000;

/**
 * Three hundred senders hold back the last byte of the longest body there may be: more than the receiver is willing to
 * hold. It must say so, stay in its bounds, and take deliveries again once it has ended them.
 */
export const heldBodies = {
  name: '300 bodies of 256 KiB held back',
  lanes: 16,
  thinkMs: 50,
  async play({ receivers: [receiver], judge, untilRecovered }) {
    const beforeMb = readMemory(receiver.pid).nowMb;
    forgetPeak(receiver.pid);
    const first = Buffer.concat([Buffer.from(writeHead(LONGEST_BODY)), Buffer.alloc(LONGEST_BODY - 1, '{')]);
    const held = openRawSenders(receiver.url, 300, { first });
    await held.untilEnded(ENDED_WITHIN_MS);
    const { peakMb } = readMemory(receiver.pid);
    const statuses = countStatuses(held.senders);
    held.close();
    judge.figure('MB before', beforeMb);
    judge.figure('MB at most', peakMb);
    judge.figure('senders were answered', statuses);
    judge.expect(
      peakMb - beforeMb < MAY_GROW_MB,
      `the receiver grew from ${beforeMb} to ${peakMb} MB by held bodies`,
    );
    judge.expect(
      (statuses[503] ?? 0) >= 40,
      `more than 64 MiB are held: only ${statuses[503] ?? 0} of 300 were answered 503`,
    );
    await untilRecovered([receiver], performance.now());
  },
};
