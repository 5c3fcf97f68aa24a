// The most memory that a process had, as Linux counts it.
import { readFileSync } from 'node:fs';

/** Looks while the process lives; the function that it returns ends that, and answers MiB. */
export function watchMemory(pid, everyMs = 200) {
  let peakKib = 0;
  const look = () => {
    try {
      // The kernel keeps the highest itself, so nothing between two looks is missed but the last one's.
      const [, shown = '0'] =
        /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
      peakKib = Math.max(peakKib, Number(shown));
    } catch {
      // It has ended.
    }
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    look();
    return Math.round(peakKib / 1024);
  };
}
