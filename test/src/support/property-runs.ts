import fc from 'fast-check';

import { isFullRun } from './run-size.ts';

/** Of each property that does not say it itself: few examples while one works, all in the full run. */
fc.configureGlobal({ numRuns: isFullRun ? 100 : 15 });
