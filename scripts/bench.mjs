// `npm run bench`: makes the checkout ready, then the benchmarks of test/bench.
import { hand, makeReady } from './make-ready.mjs';

makeReady();
await hand('test/bench/start.mjs', process.argv.slice(2));
