import { drawTable } from '../command.mjs';

/** One line for a person, after each round; under it what went wrong. */
export function describeRound(label, { fault, figures, recoveredMs, violations }, tookMs) {
  const seen = Object.entries(figures.seen).map(([name, value]) => `; ${name}: ${JSON.stringify(value)}`);
  return [
    `${label} ${fault}: ${figures.answers} answers, ${figures.unavailable} × 503` +
      `${recoveredMs > 0 ? `, back after ${Math.round(recoveredMs)} ms` : ''}${seen.join('')} ` +
      `(${(tookMs / 1000).toFixed(1)} s)`,
    ...violations.map((violation) => `  ! ${violation}`),
  ].join('\n');
}

/** The figures of a store over all its rounds. */
export function sumUp(finished, ledger) {
  const most = (read) => Math.round(Math.max(0, ...finished.map(read)));
  const sum = (read) => finished.reduce((total, round) => total + read(round), 0);
  const recoveries = {};
  for (const { fault, recoveredMs } of finished) {
    if (recoveredMs > 0) (recoveries[fault] ??= []).push(Math.round(recoveredMs));
  }
  return {
    finished: finished.length,
    sent: ledger.byId.size,
    acknowledged: ledger.acknowledged.length,
    answers: sum(({ figures }) => figures.answers),
    lost: sum(({ queue }) => queue.lost.length),
    doubled: sum(({ queue }) => queue.doubled.length + queue.acceptedTwice.length),
    unexpected: sum(({ queue }) => queue.unexpected.length),
    unavailable: sum(({ figures }) => figures.unavailable),
    slowestUnavailableMs: most(({ figures }) => figures.slowestUnavailableMs),
    slowestOkMs: most(({ figures }) => figures.slowestOkMs),
    delayMs: most(({ figures }) => figures.delayMs),
    notTaken: sum(({ figures }) => figures.fresh),
    slowestStopMs: most(({ figures }) => figures.took.SIGTERM ?? 0),
    slowestReadyzMs: most(({ figures }) => figures.took.readyz ?? 0),
    recoveriesMs: recoveries,
    seen: Object.fromEntries(
      finished
        .filter(({ figures }) => Object.keys(figures.seen).length > 0)
        .map(({ fault, figures }) => [fault, figures.seen]),
    ),
  };
}

const rows = [
  ['rounds, crowds included', ({ finished }) => finished],
  ['deliveries sent', ({ sent }) => sent],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['lost', ({ lost }) => lost],
  ['doubled', ({ doubled }) => doubled],
  ['never sent, but there', ({ unexpected }) => unexpected],
  ['answered 503', ({ unavailable }) => unavailable],
  ['slowest 503, ms', ({ slowestUnavailableMs }) => slowestUnavailableMs],
  ['slowest 200, ms', ({ slowestOkMs }) => slowestOkMs],
  ['waited for a processor at most, ms', ({ delayMs }) => delayMs],
  ['slowest /readyz in an outage, ms', ({ slowestReadyzMs }) => slowestReadyzMs],
  ['slowest end after SIGTERM, ms', ({ slowestStopMs }) => slowestStopMs],
  ['not taken by a closing socket', ({ notTaken }) => notTaken],
  ['slowest recovery, ms', ({ recoveriesMs }) => Math.max(0, ...Object.values(recoveriesMs).flat())],
  ['receiver MB after two rounds', ({ memory }) => memory.afterTwo],
  ['receiver MB after all', ({ memory }) => memory.afterAll],
];

/** The table at the end. */
export function writeTable(results) {
  return [
    ...drawTable(
      results.map(({ kind }) => kind),
      rows,
      results,
    ),
    ...results.map(
      ({ kind, sync }) =>
        `${kind} syncs with ${Object.entries(sync)
          .map((pair) => pair.join(' '))
          .join(', ')}`,
    ),
    ...results.flatMap(({ kind, recoveriesMs }) =>
      Object.entries(recoveriesMs).map(
        ([fault, list]) => `${kind}, ${fault}: back after ${list.join(', ')} ms`,
      ),
    ),
    '',
  ].join('\n');
}
