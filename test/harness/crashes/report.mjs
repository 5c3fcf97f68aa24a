import { drawTable } from '../command.mjs';

const rows = [
  ['effects that had to arrive', ({ effects }) => effects],
  ['arrived', ({ arrived }) => arrived],
  ['missing', ({ missing }) => missing],
  ['more than once at Slack or Notion, or mail under two ids', ({ doubled }) => doubled],
  ['more mails under the same Message-ID', ({ resentMails }) => resentMails],
  ['never sent, but there', ({ unexpected }) => unexpected],
  ['sent, says the ledger', ({ sent }) => sent],
  ['mails left to a person', ({ parkedMails }) => parkedMails],
  ['given up', ({ failed }) => failed],
  ['not settled', ({ unsettled }) => unsettled],
  ['claims', ({ tries }) => tries],
  ['effects with more than one claim', ({ retried }) => retried],
  ['probes', ({ probes }) => probes],
  ['workers killed', ({ kills }) => kills],
  ['workers frozen', ({ freezes }) => freezes],
  ['clocks set', ({ clockSteps }) => clockSteps],
  ['longest way to Slack, seconds', ({ longestMs }) => Math.round(longestMs / 1000)],
  ['restarts of the store', ({ restarts }) => restarts],
  ['seconds', ({ tookMs }) => Math.round(tookMs / 1000)],
];

/** The table at the end: a column for each run. */
export function writeTable(results) {
  return [
    ...drawTable(
      results.map(nameRun),
      rows,
      results.map(({ figures }) => figures),
    ),
    ...results.flatMap((result) => [
      ...Object.entries(result.faults).map(
        ([destination, counts]) => `${nameRun(result)}, ${destination}: ${writeCounts(counts)}`,
      ),
      `${nameRun(result)}, service: ${writeCounts(result.service)}`,
      ...result.notes.map((note) => `${nameRun(result)}: ${note}`),
    ]),
    '',
  ].join('\n');
}

/** Which run of several this was. */
export function nameRun({ kind, hasLedger }) {
  return hasLedger ? kind : 'no ledger';
}

function writeCounts(counts) {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}

/** The command that repeats a run. */
export function writeCommand({ hasLedger, hasClocks, isQuick, stores, ...options }) {
  const { meetings, kills, restarts, freezes, workers, seed } = options;
  const counts = {
    meetings,
    kills,
    restarts,
    freezes,
    'freeze-seconds': options.freezeMs / 1000,
    workers,
    seed,
  };
  const words = Object.entries(counts).map(([name, value]) => `--${name} ${value}`);
  if (stores.length === 1) words.push(`--store ${stores[0]}`);
  if (!hasLedger) words.push('--ledger off');
  if (!hasClocks) words.push('--clocks off');
  if (isQuick) words.push('--quick');
  return `npm run crashes -- ${words.join(' ')}`;
}
