const stuckAfterMs = 30_000;

/**
 * Counts effects until `total` of them are sent, each once. `finished` rejects when one has failed, or when nothing was
 * sent for half a minute: then some are lost.
 */
export function createTally(total) {
  const keys = new Set();
  const waits = {};
  let doubles = 0;
  let began;
  let lastMs = performance.now();
  let finish;
  let fail;
  const finished = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const watch = setInterval(() => {
    if (performance.now() - lastMs < stuckAfterMs) return;
    clearInterval(watch);
    fail(new Error(`only ${keys.size} of ${total} were sent; put aside: ${JSON.stringify(waits)}`));
  }, 1000);

  return {
    finished,
    /** The first of them is worked on. */
    onBegin() {
      began ??= { ms: performance.now(), cpu: process.cpuUsage() };
    },
    onSent(key) {
      lastMs = performance.now();
      if (keys.has(key)) doubles += 1;
      keys.add(key);
      if (keys.size < total) return;
      clearInterval(watch);
      const seconds = (lastMs - began.ms) / 1000;
      const { user, system } = process.cpuUsage(began.cpu);
      finish({
        seconds,
        perSecond: total / seconds,
        wallMicros: (seconds * 1e6) / total,
        cpuMicros: (user + system) / total,
        waits,
        doubles,
      });
    },
    onWait(why) {
      lastMs = performance.now();
      waits[why] = (waits[why] ?? 0) + 1;
    },
    onFailed: (cause) => fail(new Error(`an effect has failed: ${cause}`)),
  };
}
