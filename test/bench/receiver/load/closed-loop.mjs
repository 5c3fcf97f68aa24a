// Every connection sends its next request when it has the answer to the last one.
import { openConnections } from './connection.mjs';
import { describeTimes } from './describe-times.mjs';

/**
 * Sends the requests from `from` to `to`. With `retries`, one that is answered 503 is sent again when its `Retry-After`
 * is over, a lost connection is opened again, and every time is counted from the start of all, when everything was due
 * at once.
 */
export async function runClosedLoop({ port, connections, from, to }, requests, { retries = false } = {}) {
  const count = to - from;
  const timesMs = new Float64Array(count);
  const sentMs = new Float64Array(count);
  const statuses = {};
  const again = [];
  const idle = [];
  let next = from;
  let ended = 0;
  let retried = 0;
  let resets = 0;
  let startedMs = 0;
  let finish;
  let fail;
  const finished = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });

  function sendNext(connection) {
    const index = again.length > 0 ? again.shift() : next < to ? next++ : -1;
    if (index === -1) {
      idle.push(connection);
      return;
    }
    connection.index = index;
    sentMs[index - from] = performance.now();
    connection.send(requests.bytes.subarray(index * requests.size, (index + 1) * requests.size));
  }

  function onAnswer(connection, status, head) {
    const { index } = connection;
    connection.index = -1;
    if (retries && status === 503) {
      retried += 1;
      const [, seconds = '1'] = /\r\nretry-after: *(\d+)/i.exec(head) ?? [];
      setTimeout(
        () => {
          again.push(index);
          const free = idle.pop();
          if (free !== undefined) sendNext(free);
        },
        Number(seconds) * 1000,
      );
    } else {
      timesMs[index - from] = performance.now() - (retries ? startedMs : sentMs[index - from]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      ended += 1;
      if (ended === count) {
        finish();
        return;
      }
    }
    sendNext(connection);
  }

  /** A sender connects again; what was under way is due again at once. */
  async function onLost(connection) {
    if (!retries) {
      fail(new Error('the server closed a connection'));
      return;
    }
    opened.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    if (connection.index !== -1) {
      resets += 1;
      again.push(connection.index);
    }
    const [fresh] = await openConnections(1, port, onAnswer, reconnect);
    opened.add(fresh);
    sendNext(fresh);
  }
  const reconnect = (connection) => void onLost(connection).catch(fail);

  const opened = new Set(await openConnections(connections, port, onAnswer, reconnect));
  const cpu = process.cpuUsage();
  startedMs = performance.now();
  for (const connection of opened) sendNext(connection);
  await finished;
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of opened) connection.close();
  return {
    seconds,
    perSecond: count / seconds,
    statuses,
    retried,
    resets,
    ...describeTimes(timesMs),
    busy: (user + system) / 1e6 / seconds,
  };
}
