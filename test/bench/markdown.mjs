// How long the Markdown of a report's summary takes to parse, in microseconds.
import { parseText } from '../../recipes/dist/report/parse-text.js';
import { judge, median, round } from './figures.mjs';

const usual = { rounds: 7, count: 5000 };
const quick = { rounds: 1, count: 50 };
const maxMicros = 30;

const summary =
  'The team **agreed** on the plan for the next quarter. Ann described the two customers in the north who want the ' +
  'new edition before the autumn, and what has to be ready by then.\n\n- the budget stays as it is\n- the offer ' +
  'goes out on Friday\n- the trial of the second customer is *prolonged* by a month\n\nBob asked who moves the old ' +
  'data; this is open until the [next meeting](https://example.com/next).';
const texts = { summary, line: 'Send the **offer** to Ann' };

export async function markdown({ isQuick }) {
  const { rounds, count } = isQuick ? quick : usual;
  const figures = { maxMicros };
  const lines = [`parsing Markdown, ${rounds} rounds of ${count}, Node ${process.versions.node}`];
  for (const [name, text] of Object.entries(texts)) {
    measure(text, count);
    const micros = median(Array.from({ length: rounds }, () => measure(text, count)));
    figures[name] = round(micros, 1);
    const title = `${name} (${text.length} characters)`;
    lines.push(judge(title, figures[name], { most: maxMicros, unit: ' µs' }));
  }
  return { figures, lines };
}

/** Microseconds per parse. Every text is different, so no cache helps. */
function measure(text, count) {
  const different = Array.from({ length: count }, (_unused, index) => `${text} ${index}`);
  const startedMs = performance.now();
  for (const each of different) parseText(each);
  return ((performance.now() - startedMs) * 1000) / count;
}
