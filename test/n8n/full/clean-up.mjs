// Nothing is left behind, however this ends.
const watchMs = 500;
const patienceMs = 3000;

/** Calls `cleanUp` and ends this process when it is told to end; the function that it returns takes that back. */
export function cleanUpOnSignals(cleanUp) {
  const end = async (code) => {
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs));
    await Promise.race([Promise.resolve(cleanUp()).catch(() => {}), late]);
    process.exit(code);
  };
  const onInterrupt = () => void end(130);
  const onEnd = () => void end(143);
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onEnd);
  // npm starts this through a shell, which does not pass on that it was told to end: it is just gone.
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== shell) onEnd();
  }, watchMs);
  watch.unref();
  return () => {
    clearInterval(watch);
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onEnd);
  };
}
