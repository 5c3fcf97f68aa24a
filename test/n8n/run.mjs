// `npm run test:n8n`, or `node test/n8n/run.mjs [FOLDER [WORD]]`: plays our nodes and the workflows of recipes/n8n in a real n8n
// against the sandbox and the stand-ins. FOLDER is an installation of n8n that is there already, WORD stands in the names of the
// plays that are wanted; N8N_PROOF_LOG, a folder, gets what n8n kept of each run. Exit code 1 when one of them fails.
import { makeReady } from '../../scripts/make-ready.mjs';

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const { playAll } = await import('./full/play-all.mjs');
process.exitCode = (await playAll(process.argv[2], process.argv[3])) === 0 ? 0 : 1;
