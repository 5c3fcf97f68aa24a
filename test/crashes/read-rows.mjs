import { openLedger } from '../../recipes/dist/ledger/open-ledger.js';

const AT_ONCE = 50;

/** What the ledger knows of each effect, by its key, and how many effects it knows at all. */
export async function readRows(backend, effects, log) {
  const ledger = await openLedger(backend, log);
  try {
    const rows = new Map();
    for (let from = 0; from < effects.length; from += AT_ONCE) {
      await Promise.all(
        effects
          .slice(from, from + AT_ONCE)
          .map(async ({ key }) => rows.set(key, await ledger.read(key, Date.now()))),
      );
    }
    const counts = await ledger.counts();
    return { rows, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  } finally {
    await ledger.close();
  }
}
