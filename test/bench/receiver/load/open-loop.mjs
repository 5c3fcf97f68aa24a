// A fixed number of requests a second, whether the server keeps up or not. Times are from when a request was due: a
// server that stalls pays for everything that had to wait meanwhile.
import { openConnections } from './connection.mjs';
import { describeTimes } from './describe-times.mjs';

/** Timers of Node are a millisecond wide; this sleeps by the kernel's clock. Answers wait no longer than it. */
const longestSleepMs = 0.1;
const cell = new Int32Array(new SharedArrayBuffer(4));

export async function runOpenLoop({ port, connections, from, to, rate }, requests) {
  const count = to - from;
  const timesMs = new Float64Array(count);
  const lateMs = new Float64Array(count);
  const statuses = {};
  let sent = 0;
  let ended = 0;
  let isLost = false;
  const onAnswer = (connection, status) => {
    timesMs[connection.index] = performance.now() - dueMs(connection.index);
    statuses[status] = (statuses[status] ?? 0) + 1;
    ended += 1;
    idle.push(connection);
  };
  const idle = await openConnections(connections, port, onAnswer, () => {
    isLost = true;
  });
  const all = [...idle];
  const cpu = process.cpuUsage();
  const startedMs = performance.now() + 1;
  const dueMs = (index) => startedMs + (index * 1000) / rate;

  const isUnderWay = () => ended < count;
  while (isUnderWay()) {
    if (isLost) throw new Error('the server closed a connection');
    while (sent < count && idle.length > 0 && dueMs(sent) <= performance.now()) {
      const connection = idle.pop();
      connection.index = sent;
      lateMs[sent] = performance.now() - dueMs(sent);
      const index = from + sent;
      sent += 1;
      connection.send(requests.bytes.subarray(index * requests.size, (index + 1) * requests.size));
    }
    const waitMs = sent < count ? dueMs(sent) - performance.now() : longestSleepMs;
    if (waitMs > 0) Atomics.wait(cell, 0, 0, Math.min(waitMs, longestSleepMs));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of all) connection.close();
  return {
    seconds,
    perSecond: count / seconds,
    statuses,
    ...describeTimes(timesMs),
    lateP99Ms: describeTimes(lateMs).p99Ms,
    busy: (user + system) / 1e6 / seconds,
  };
}
