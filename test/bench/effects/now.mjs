/** Milliseconds on a clock that all processes of this machine share, and that nobody sets. */
export function readNowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
