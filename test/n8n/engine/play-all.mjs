// Plays every operation of the action node and every case of the triggers in n8n's own engine. Answers how many failed.
import { findGaps, nameOperation } from './find-gaps.mjs';
import { openEngine } from './open-engine.mjs';
import { openSide } from './open-twins.mjs';
import { playOperation } from './play-operation.mjs';
import * as files from './plays/index.mjs';

/** `word` stands in the names of the plays that are wanted; then nothing is said of those that are missing. */
export async function playAll({ word = '' }) {
  const engine = await openEngine();
  try {
    const rows = [...(await playOperations(engine, word)), ...(await playCases(engine, word))];
    process.stdout.write(drawTable(rows));
    const failed = rows.flatMap(({ failures }) => failures);
    for (const failure of failed) process.stdout.write(`\nFAILED ${failure}\n`);
    return failed.length;
  } finally {
    engine.close();
  }
}

async function playOperations(engine, word) {
  const { operations } = files;
  const arrived = [];
  const rows = new Map();
  for (const play of operations) {
    const name = nameOperation(play);
    if (!`${name}: ${play.name}`.includes(word)) continue;
    const row = rows.get(name) ?? { name, plays: 0, requests: 0, failures: [] };
    rows.set(name, row);
    row.plays += 1;
    await noteFailure(row, `${name}: ${play.name}`, async () => {
      const requests = await playOperation(engine, play);
      row.requests += requests.length;
      arrived.push(...requests);
    });
  }
  const gaps = word === '' ? findGaps(engine.describe('aftermeet'), operations, arrived) : [];
  const all = [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name));
  return gaps.length === 0
    ? all
    : [...all, { name: 'what is missing', plays: 0, requests: 0, failures: gaps }];
}

async function playCases(engine, word) {
  const rows = [];
  for (const [name, cases] of Object.entries(files.cases)) {
    const wanted = cases.filter((one) => `${name}: ${one.name}`.includes(word));
    const row = { name, plays: wanted.length, requests: 0, failures: [] };
    if (wanted.length > 0) rows.push(row);
    for (const one of wanted) {
      engine.useBinary('memory');
      const side = await openSide();
      await noteFailure(row, `${name}: ${one.name}`, () => one.play({ engine, side }));
      row.requests += side.requests.length;
      await side.close();
    }
  }
  return rows;
}

async function noteFailure(row, name, play) {
  try {
    await play();
  } catch (error) {
    row.failures.push(`${name}\n${error instanceof Error ? error.stack : String(error)}`);
  }
}

function drawTable(rows) {
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  const failed = rows.reduce((total, { failures }) => total + failures.length, 0);
  const lines = [
    ['what', 'plays', 'requests', 'failed'],
    ...rows.map(({ name, plays, requests, failures }) => [name, plays, requests, failures.length]),
    ['all', sum('plays'), sum('requests'), failed],
  ];
  return lines
    .map(
      ([name, ...counts]) =>
        `${name.padEnd(28)}${counts.map((count) => String(count).padStart(10)).join('')}\n`,
    )
    .join('');
}
