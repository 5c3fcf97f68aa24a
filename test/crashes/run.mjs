// `npm run crashes`: kills workers and stores under load, and looks whether each effect is there once (`--help` says
// more). Progress goes to stderr, the table or the JSON to stdout. Exit code 1 when something is missing or doubled.
import { makeReady } from '../../scripts/make-ready.mjs';
import { help, readOptions } from './options.mjs';

process.exitCode = await run(process.argv.slice(2));

async function run(words) {
  let options;
  try {
    options = readOptions(words);
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  makeReady();
  // Only now: in a fresh clone there is nothing to import before.
  const { playAll } = await import('./play-all.mjs');
  return await playAll(options);
}
