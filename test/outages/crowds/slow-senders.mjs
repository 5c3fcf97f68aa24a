import { signDelivery } from '../load/sign.mjs';
import { forgetPeak, readMemory } from '../processes/processes.mjs';
import { countStatuses, openRawSenders } from './raw-senders.mjs';

const HEADERS_WITHIN_MS = 5000;
const REQUEST_WITHIN_MS = 10_000;
/** The receiver looks once a second, and the kernel takes its time. */
const LOOKS_EVERY_MS = 1500;
const MAY_GROW_MB = 60;

/**
 * Senders that never come to an end, and a thousand that say nothing: the receiver ends them by its own limits, and
 * genuine deliveries pass as if they were not there.
 */
export const slowSenders = {
  name: 'slow senders and 1,000 idle connections',
  lanes: 16,
  thinkMs: 50,
  isCalm: true,
  async play({ receivers: [receiver], judge }) {
    const beforeMb = readMemory(receiver.pid).nowMb;
    forgetPeak(receiver.pid);
    const idle = openRawSenders(receiver.url, 1000, {});
    const headers = openRawSenders(receiver.url, 50, {
      first: 'POST /hooks/default HTTP/1.1\r\nHost: a\r\n',
      drip: 'X-A: b\r\n',
    });
    const bodies = openRawSenders(receiver.url, 50, { first: writeHead(100_000), drip: '{' });
    await Promise.all([headers, bodies].map((each) => each.untilEnded(2 * REQUEST_WITHIN_MS)));

    expectEnded(judge, 'headers', headers.senders, HEADERS_WITHIN_MS);
    expectEnded(judge, 'a body', bodies.senders, REQUEST_WITHIN_MS);
    const { peakMb } = readMemory(receiver.pid);
    judge.figure('MB before', beforeMb);
    judge.figure('MB at most', peakMb);
    judge.expect(
      peakMb - beforeMb < MAY_GROW_MB,
      `the receiver grew from ${beforeMb} to ${peakMb} MB by slow senders`,
    );
    for (const opened of [idle, headers, bodies]) opened.close();
  },
};

/** The head of a request whose body is announced with this length; the signature is right for no body at all. */
export function writeHead(length) {
  const headers = {
    ...signDelivery({ deliveryId: 'slow', body: Buffer.alloc(0) }),
    'content-length': length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /hooks/default HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`;
}

function expectEnded(judge, what, senders, limitMs) {
  const slowestMs = Math.max(...senders.map(({ endedAfterMs = Infinity }) => endedAfterMs));
  judge.figure(`senders of ${what} ended after at most, ms`, slowestMs);
  judge.figure(`senders of ${what} were answered`, countStatuses(senders));
  judge.within(`the end of a sender that drips ${what}`, slowestMs, limitMs + LOOKS_EVERY_MS);
}
