// How long a person waits: from `npm start` on a built tree to the first delivered message, and to all three.
// The floor beside it is a Node process that does nothing, in the same run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { drawTable, median } from './figures.mjs';
import { withFolder } from './processes.mjs';

const root = join(import.meta.dirname, '..', '..');
const arrival = /✓ (?:slack|notion|email)/g;

/** Milliseconds from the start of a command to its first arrival, its third, and its end. */
function measure(program, words, environment = {}) {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const marks = [];
    const child = spawn(program, words, { cwd: root, env: { ...process.env, PORT: '0', ...environment } });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const arrived = [...text.matchAll(arrival)].length;
      while (marks.length < arrived) marks.push(performance.now() - startedMs);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ first: marks[0], third: marks[2], end: performance.now() - startedMs });
      else reject(new Error(`${program} ${words.join(' ')} exited with ${code}`));
    });
  });
}

export async function start({ isQuick }) {
  const rounds = isQuick ? 1 : 5;
  const floor = [];
  const fresh = [];
  const again = [];
  for (let round = 0; round < rounds; round += 1) {
    await withFolder(async (folder) => {
      const environment = { QUEUE_URL: `embedded:${folder}/queue` };
      floor.push((await measure(process.execPath, ['-e', '0'])).end);
      fresh.push(await measure('npm', ['start', '--silent', '--', '--once'], environment));
      again.push(await measure('npm', ['start', '--silent', '--', '--once'], environment));
    });
  }
  const rows = [
    ['a Node process that does nothing', median(floor)],
    ['first message, new queue folder', median(fresh.map(({ first }) => first))],
    ['all three, new queue folder', median(fresh.map(({ third }) => third))],
    ['first message, queue folder there', median(again.map(({ first }) => first))],
    ['all three, queue folder there', median(again.map(({ third }) => third))],
  ];
  const figures = Object.fromEntries(rows.map(([name, ms]) => [name, Math.round(ms)]));
  const table = rows.map(([name, ms]) => [name, Math.round(ms), (ms / rows[0][1]).toFixed(1)]);
  return {
    figures,
    lines: [
      `npm start, median of ${rounds}, Node ${process.versions.node}`,
      ...drawTable(['', 'ms', '× floor'], table),
    ],
  };
}
