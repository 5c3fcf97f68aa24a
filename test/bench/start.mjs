// How long a person waits: from `npm start` on a built tree to the first delivered message, and to all three.
// The floor beside it is a Node process that does nothing, in the same run.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { withFolder } from '../harness/processes.mjs';
import { describeRounds, summarise } from './figures.mjs';

const root = join(import.meta.dirname, '..', '..');
const arrival = /✓ (?:slack|notion|email)/g;

const floor = 'a Node process that does nothing';
const fresh = 'new queue folder';
const again = 'queue folder there';
const columns = [
  ['first message, ms', 'first', 0],
  ['× floor', 'first', 1, floor],
  ['all three, ms', 'third', 0],
  ['× floor', 'third', 1, floor],
];

export async function start({ isQuick }) {
  const rounds = isQuick ? 1 : 5;
  const npmStart = ['npm', 'start', '--silent', '--', '--once'];
  const results = new Map([floor, fresh, again].map((name) => [name, []]));
  for (let done = 0; done < rounds; done += 1) {
    await withFolder(async (folder) => {
      const environment = { QUEUE_URL: `embedded:${folder}/queue` };
      results.get(floor).push(await measure([process.execPath, '-e', '0'], environment));
      results.get(fresh).push(await measure(npmStart, environment));
      results.get(again).push(await measure(npmStart, environment));
    });
  }
  const { figures, lines } = summarise(results, columns);
  return { figures, lines: [`npm start, ${describeRounds({ rounds })}`, ...lines] };
}

/** Milliseconds from the start of a command to its first arrival and its third; to its end, where nothing arrives. */
function measure([program, ...words], environment) {
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
      const [first = performance.now() - startedMs, , third = first] = marks;
      if (code === 0) resolve({ first, third });
      else reject(new Error(`${program} ${words.join(' ')} exited with ${code}`));
    });
  });
}
