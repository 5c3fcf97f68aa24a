// `npm test`: makes the checkout ready (some tests run the built command), then vitest.
import { hand, makeReady } from './make-ready.mjs';

makeReady();
await hand('node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);
