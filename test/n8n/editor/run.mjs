// `node test/n8n/editor/run.mjs [FOLDER [WORD]]`: what a user sees of our nodes in the editor of a real n8n, in a headless Chromium
// (`CHROMIUM`, or /usr/bin/chromium). FOLDER and WORD are as in ../run.mjs. PICTURES, a folder, gets the pictures that docs/n8n.md
// shows: look at them before they are kept. Exit code 1 when a play fails.
import { makeReady } from '../../../scripts/make-ready.mjs';

makeReady();
// Only now: in a fresh clone there is nothing to import before.
const { playAll } = await import('../full/play-all.mjs');
const { runEditorShow } = await import('./run-editor-show.mjs');
const [folder, word] = process.argv.slice(2);
const show = (given) => runEditorShow(given, process.env.PICTURES);
process.exitCode = (await playAll(folder, word, { show })) === 0 ? 0 : 1;
