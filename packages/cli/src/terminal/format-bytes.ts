const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size for people, in powers of 1024. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return step === 0 ? `${Math.round(value)} bytes` : `${value.toFixed(1)} ${units[step]}`;
}
