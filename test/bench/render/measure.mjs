// Ways of using a report, in a process of their own: what the first time takes, and each of many after it.
import { readFileSync } from 'node:fs';

import { readReport } from '../../../packages/client/dist/index.js';
import { buildDigest, openRecipe } from './messages.mjs';

const [file, times, ...names] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const report = readReport('m_1', JSON.parse(text));

const ways = {
  parse: () => () => JSON.parse(text),
  digest: () => () => buildDigest(report),
  'digest with transcript': () => () => buildDigest(report, { withTranscript: true }),
  slack: () => use('slack-recap'),
  notion: () => use('notion-page'),
  email: () => use('email-follow-up'),
};

function use(recipe) {
  const render = openRecipe(recipe);
  return () => render(report);
}

function measure(name) {
  const run = ways[name]();
  const samples = [];
  let made;
  for (let round = 0; round <= Number(times); round += 1) {
    const startedMs = performance.now();
    made = run();
    samples.push(performance.now() - startedMs);
  }
  const [firstMs, ...warm] = samples;
  const messages = Array.isArray(made) ? made.length : undefined;
  const bytes = messages === undefined ? undefined : Buffer.byteLength(JSON.stringify(made));
  return { firstMs, warm, segments: report.transcript.length, messages, bytes };
}

process.stdout.write(JSON.stringify(names.map(measure)));
