import { formatProgress, type ProgressView } from './format-progress.ts';

/** A line on a terminal that says how far something is, and leaves nothing behind. */
export interface ProgressLine {
  readonly show: (view: ProgressView) => void;
  /** A line that stays, above the one that goes. */
  readonly note: (line: string) => void;
  readonly clear: () => void;
}

export interface ProgressLineOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number | undefined;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Calls again and again until the returned function is called; must not keep the process alive. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

const DRAW_EVERY_MS = 100;
const USUAL_COLUMNS = 80;
const ERASE_LINE = '\r\u001B[K';

/** Shows nothing: for `--json`. */
export const silentProgress: ProgressLine = { show: () => {}, note: () => {}, clear: () => {} };

/** Shows only what stays: for a pipe. */
export function createPlainProgress(write: (text: string) => void): ProgressLine {
  return { ...silentProgress, note: (line) => write(`${line}\n`) };
}

/** Draws at most every 100 ms, and again while nothing is reported, so that a wait does not look dead. */
export function createProgressLine({
  write,
  columns,
  clock,
  every = tickEvery,
}: ProgressLineOptions): ProgressLine {
  let view: ProgressView | undefined;
  let beganMs = 0;
  let beganBytes = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let stopTicking: (() => void) | undefined;

  const draw = (): void => {
    if (view === undefined) return;
    drawnMs = clock();
    const movedBytes = view.kind === 'bytes' ? view.doneBytes - beganBytes : 0;
    const course = { elapsedMs: drawnMs - beganMs, movedBytes };
    // One cell less than there are: a full line would wrap on some terminals.
    write(`${ERASE_LINE}${formatProgress(view, course, (columns() ?? USUAL_COLUMNS) - 1)}`);
  };

  return {
    show(next) {
      const isNew = view === undefined || view.kind !== next.kind || view.label !== next.label;
      // A wait keeps its time while the service's word changes.
      if (isNew && !(view?.kind === 'wait' && next.kind === 'wait')) {
        beganMs = clock();
        beganBytes = next.kind === 'bytes' ? next.doneBytes : 0;
      }
      view = next;
      stopTicking ??= every(DRAW_EVERY_MS, draw);
      if (isNew || clock() - drawnMs >= DRAW_EVERY_MS) draw();
    },
    note(line) {
      write(`${view === undefined ? '' : ERASE_LINE}${line}\n`);
      draw();
    },
    clear() {
      stopTicking?.();
      stopTicking = undefined;
      if (view !== undefined) write(ERASE_LINE);
      view = undefined;
    },
  };
}

function tickEvery(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}
