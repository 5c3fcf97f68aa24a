import stringWidth from 'string-width';

import { formatBytes, formatDuration } from './format.ts';
import { cleanLine, cutToWidth } from './text.ts';

/** What is in progress: a transfer of bytes, or a wait of unknown length. */
export type ProgressView =
  | {
      readonly kind: 'bytes';
      readonly label: string;
      readonly doneBytes: number;
      /** Absent if unknown. */
      readonly totalBytes?: number;
    }
  | { readonly kind: 'wait'; readonly label: string };

/** A line on a terminal that is redrawn in place and disappears at the end. */
export interface ProgressLine {
  readonly show: (view: ProgressView) => void;
  /** Prints a line that stays, above the progress. */
  readonly note: (line: string) => void;
  readonly clear: () => void;
}

interface ProgressLineOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number | undefined;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Calls `tick` repeatedly until the returned function is called; must not keep the process alive. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** Since the label appeared. */
interface Elapsed {
  readonly elapsedMs: number;
  /** Bytes transferred in that time. */
  readonly movedBytes: number;
}

const DRAW_EVERY_MS = 100;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001B[K';
const MAX_BAR_CELLS = 24;
const MIN_BAR_CELLS = 6;
/** A rate measured over less time would fluctuate. */
const MIN_RATED_MS = 500;
const spinner = ['|', '/', '-', '\\'] as const;
const SPIN_MS = 120;

/** Shows nothing: for `--json`. */
export const silentProgress: ProgressLine = { show: () => {}, note: () => {}, clear: () => {} };

/** Shows only notes: for a pipe. */
export function createPlainProgress(write: (text: string) => void): ProgressLine {
  return { ...silentProgress, note: (line) => write(`${line}\n`) };
}

/** Draws at most every 100 ms, and also while nothing is reported, so that a wait does not look dead. */
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
    const elapsed = { elapsedMs: drawnMs - beganMs, movedBytes };
    // One cell is left free: a full line would wrap on some terminals.
    write(`${ERASE_LINE}${formatProgress(view, elapsed, (columns() ?? DEFAULT_COLUMNS) - 1)}`);
  };

  return {
    show(next) {
      const isNew = view === undefined || view.kind !== next.kind || view.label !== next.label;
      // A wait keeps its time when its label changes.
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

/** One line of progress in at most `width` cells. */
export function formatProgress(view: ProgressView, elapsed: Elapsed, width: number): string {
  const line = view.kind === 'wait' ? formatWait(view.label, elapsed) : formatBar(view, elapsed, width);
  return cutToWidth(line, width);
}

function formatWait(label: string, { elapsedMs }: Elapsed): string {
  const turn = spinner[Math.floor(elapsedMs / SPIN_MS) % spinner.length] ?? '';
  return `${turn} ${cleanLine(label)}  ${formatDuration(elapsedMs / 1000)}`;
}

function formatBar(
  { label, doneBytes, totalBytes }: Extract<ProgressView, { kind: 'bytes' }>,
  { elapsedMs, movedBytes }: Elapsed,
  width: number,
): string {
  const rate = elapsedMs < MIN_RATED_MS || movedBytes <= 0 ? undefined : movedBytes / (elapsedMs / 1000);
  const speed = rate === undefined ? '' : `  ${formatBytes(rate)}/s`;
  if (totalBytes === undefined || totalBytes <= 0)
    return `${cleanLine(label)}  ${formatBytes(doneBytes)}${speed}`;
  const share = Math.min(1, Math.max(0, doneBytes / totalBytes));
  const left =
    rate === undefined || share === 1 ? '' : `  ${formatDuration((totalBytes - doneBytes) / rate)} left`;
  const start = `${cleanLine(label)} [`;
  const end = `] ${Math.floor(share * 100)} %  ${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}${speed}${left}`;
  const room = width - stringWidth(start) - stringWidth(end);
  const cells = Math.max(MIN_BAR_CELLS, Math.min(MAX_BAR_CELLS, room));
  const filled = Math.floor(share * cells);
  return `${start}${'#'.repeat(filled)}${'.'.repeat(cells - filled)}${end}`;
}

function tickEvery(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}
