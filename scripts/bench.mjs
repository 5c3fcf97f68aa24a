// `npm run bench [-- NAME …] [--json]`: makes the checkout ready, then the benchmarks of test/bench.
import { hand, makeReady } from './make-ready.mjs';

makeReady();
await hand('test/bench/main.mjs', process.argv.slice(2));
