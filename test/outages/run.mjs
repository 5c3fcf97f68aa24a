// `npm run outages`: plays outages against real receivers and real stores (`--help` says more). Progress goes to
// stderr, the table or the JSON to stdout. Exit code 1 when something was lost, doubled or late.
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
  if (options.main === undefined) makeReady();
  // Only now: in a fresh clone there is nothing to import before.
  const { playAll } = await import('./play-all.mjs');
  return await playAll(options);
}
