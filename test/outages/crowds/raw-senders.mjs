import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Opens raw connections that write `first` and then one of `rest` every 200 ms, and never end. For each: whether and
 * when the receiver ended it, counted from its first byte, and the status that it was answered.
 */
export function openRawSenders(url, count, { first, drip }) {
  const { port } = new URL(url);
  const senders = Array.from({ length: count }, () => {
    const sender = { startedMs: performance.now(), status: undefined, endedAfterMs: undefined };
    const socket = connect(Number(port), '127.0.0.1', () => {
      sender.startedMs = performance.now();
      if (first !== undefined) socket.write(first);
      if (drip !== undefined) timer = setInterval(() => socket.write(drip), 200);
    });
    let timer;
    const end = () => {
      clearInterval(timer);
      sender.endedAfterMs ??= performance.now() - sender.startedMs;
    };
    socket.on('data', (data) => {
      sender.status ??= /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1];
      sender.answeredAfterMs ??= performance.now() - sender.startedMs;
    });
    // It may be reset, because we never stop writing.
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
    sender.close = () => socket.destroy();
    return sender;
  });
  return {
    senders,
    /** Resolves when the receiver has ended all of them, or after this time. */
    async untilEnded(withinMs) {
      const untilMs = performance.now() + withinMs;
      while (performance.now() < untilMs && senders.some(({ endedAfterMs }) => endedAfterMs === undefined)) {
        await pause(50);
      }
    },
    close() {
      for (const sender of senders) sender.close();
    },
  };
}

/** How often each status came; `none` where there was no answer. */
export function countStatuses(senders) {
  const counts = {};
  for (const { status = 'none' } of senders) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
