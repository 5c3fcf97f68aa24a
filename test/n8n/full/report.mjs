// What became of each play, and the counts at the end.

/** Plays whose names do not contain `word` are left out. */
export function createReport(word) {
  const counts = new Map();
  const tell = (kind, name, startedMs, { note, problem }) => {
    const count = counts.get(kind) ?? { passed: 0, failed: 0 };
    count[problem === undefined ? 'passed' : 'failed'] += 1;
    counts.set(kind, count);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const figures = note === undefined ? `${seconds} s` : `${seconds} s; ${note}`;
    process.stdout.write(`${problem === undefined ? 'passed' : 'FAILED'}: ${kind}: ${name} (${figures})\n`);
    if (problem !== undefined) process.stderr.write(`${problem}\n`);
  };
  return {
    /** `run` may answer a note, which stands beside the name. */
    async play(kind, name, run) {
      if (!name.includes(word)) return;
      const startedMs = performance.now();
      try {
        const note = await run();
        tell(kind, name, startedMs, { note: typeof note === 'string' ? note : undefined });
      } catch (error) {
        tell(kind, name, startedMs, { problem: error.stack ?? String(error) });
      }
    },
    /** Writes the counts and answers how many failed. */
    finish() {
      let all = 0;
      for (const [kind, { passed, failed }] of counts) {
        all += failed;
        process.stdout.write(`${kind}: ${passed} passed, ${failed} failed\n`);
      }
      return all;
    },
  };
}
