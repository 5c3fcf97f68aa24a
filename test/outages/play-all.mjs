import { root } from '../../scripts/make-ready.mjs';
import { playStore } from './play-store.mjs';
import { writeTable } from './report.mjs';
import { whyNot } from './stores/open-store.mjs';

const say = (line) => void process.stderr.write(`${line}\n`);

/** Plays the stores that were asked for, prints what was seen, and resolves with the exit code. */
export async function playAll(options) {
  const { seed, rounds, json, main = `${root}/packages/cli/dist/main.js` } = options;
  endWithParent();
  const again = `npm run outages -- --seed ${seed} --rounds ${rounds}`;
  say(`seed ${seed}; the same faults in the same order: ${again}`);
  const results = [];
  const violations = [];
  for (const kind of options.stores) {
    const reason = whyNot(kind);
    if (reason !== undefined) {
      say(`${kind} is not played: ${reason}`);
      if (process.env.AFTERMEET_REQUIRE_ALL === '1') violations.push(`${kind} can't be played: ${reason}`);
      continue;
    }
    // Slow senders have nothing to do with the store: once is enough.
    try {
      const result = await playStore(kind, { ...options, main, withSlowSenders: results.length === 0 }, say);
      results.push(result);
      violations.push(...result.violations);
    } catch (error) {
      violations.push(`${kind} could not be played to its end: ${error.stack}`);
    }
  }
  if (json) process.stdout.write(`${JSON.stringify({ seed, results, violations })}\n`);
  else if (results.length > 0) process.stdout.write(writeTable(results));
  if (violations.length === 0) return 0;
  say(`\n${violations.length} violations:\n${violations.join('\n')}\nThe same again: ${again}`);
  return 1;
}

/** npm starts this through a shell, and a shell that is told to stop doesn't pass it on: it is just gone. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(143);
  }, 500).unref();
}
