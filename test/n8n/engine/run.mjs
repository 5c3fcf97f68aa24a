// `node test/n8n/engine/run.mjs [WORD]`: runs the packed nodes in n8n's own engine, without its server, against the sandbox.
// WORD stands in the names of the plays that are wanted. Prints what ran; exit code 1 when something is not as it has to be.
import { installOwn } from '../../../scripts/install-own.mjs';
import { makeReady } from '../../../scripts/make-ready.mjs';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`n8n needs Node 24 or newer, this is ${process.versions.node}.\n`);
  process.exit(1);
}
makeReady();
installOwn(import.meta.dirname, "n8n's engine");
// Only now: in a fresh clone there is nothing to import before.
const { playAll } = await import('./play-all.mjs');
const failed = await playAll({ word: process.argv[2] });
// Not when everything has ended by itself: the engine keeps sockets and timers for half a minute.
process.exit(failed === 0 ? 0 : 1);
