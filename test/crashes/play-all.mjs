import { whyNot } from '../outages/stores/open-store.mjs';
import { endWithParent } from './end-with-parent.mjs';
import { writeCommand } from './options.mjs';
import { playStore } from './play-store.mjs';
import { nameRun, writeTable } from './report.mjs';

const tell = (line) => void process.stderr.write(`${line}\n`);

/** Plays what was asked for, prints what was seen, and resolves with the exit code. */
export async function playAll(options) {
  endWithParent();
  const again = writeCommand(options);
  tell(`seed ${options.seed}; the same kills and faults: ${again}`);
  const violations = [];
  const results = [];
  const playing = [];
  for (const [index, run] of listRuns(options).entries()) {
    const reason = whyNot(run.kind);
    if (reason !== undefined) {
      tell(`${run.kind} is not played: ${reason}`);
      if (process.env.AFTERMEET_REQUIRE_ALL === '1')
        violations.push(`${run.kind} can't be played: ${reason}`);
      continue;
    }
    // The next one begins when this one only waits.
    await new Promise((onQuiet) => {
      playing.push(play(run, index, onQuiet));
    });
  }
  await Promise.all(playing);

  async function play(run, index, onQuiet) {
    const name = nameRun(run);
    try {
      const say = (line) => tell(`${name}: ${line}`);
      const result = await playStore(run.kind, { ...options, hasLedger: run.hasLedger }, { say, onQuiet });
      results[index] = result;
      if (run.mustDouble) {
        if (result.figures.doubled === 0) violations.push(`${name}: no duplicates, so this test can't fail`);
      } else violations.push(...result.violations.map((violation) => `${name}: ${violation}`));
    } catch (error) {
      violations.push(`${name} could not be played to its end: ${error.stack}`);
    }
  }

  const played = results.filter((result) => result !== undefined);
  if (options.json)
    process.stdout.write(`${JSON.stringify({ seed: options.seed, results: played, violations })}\n`);
  else if (played.length > 0) process.stdout.write(writeTable(played));
  if (violations.length === 0) return 0;
  tell(`\n${violations.length} violations:\n${violations.join('\n')}\nThe same again: ${again}`);
  return 1;
}

/** Each store; the quick form also shows that the test can fail. */
function listRuns({ stores, hasLedger, isQuick }) {
  const runs = stores.map((kind) => ({ kind, hasLedger }));
  const [kind] = stores;
  return hasLedger && isQuick ? [...runs, { kind, hasLedger: false, mustDouble: true }] : runs;
}
