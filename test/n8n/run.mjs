// `npm run test:n8n`, or `node test/n8n/run.mjs [FOLDER [WORD]]`: plays our nodes and the workflows of recipes/n8n in a real n8n
// against the sandbox and the stand-ins, then again in its editor (editor/run.mjs plays that alone). FOLDER is an installation of n8n that is there already, WORD stands in the names of the
// plays that are wanted; N8N_PROOF_LOG, a folder, gets what n8n kept of each run. Exit code 1 when one of them fails.
import { makeReady } from '../../scripts/make-ready.mjs';

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const { playAll } = await import('./full/play-all.mjs');
const { runEditorShow } = await import('./editor/run-editor-show.mjs');
const [folder, word] = process.argv.slice(2);
const failed = (await playAll(folder, word)) + (await playAll(folder, word, { show: runEditorShow }));
process.exitCode = failed === 0 ? 0 : 1;
