/** Runs `clean` when this process ends early, by an error or a signal; returns a function that takes it back. */
export function atExit(clean) {
  process.on('exit', clean);
  return () => process.off('exit', clean);
}

/** Without this a signal ends the process before anything is cleaned. */
export function exitOnSignals() {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
