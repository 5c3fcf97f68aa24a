// `npm start`: makes the checkout ready, then `aftermeet dev`.
import { hand, makeReady } from './make-ready.mjs';

makeReady();
await hand('packages/cli/dist/command/main.js', ['dev', ...process.argv.slice(2)]);
