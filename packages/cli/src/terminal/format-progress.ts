import { cleanLine } from './clean-text.ts';
import { cutToWidth, displayWidth } from './display-width.ts';
import { formatBytes } from './format-bytes.ts';
import { formatDuration } from './format-duration.ts';

/** What is under way: bytes that move, or a wait whose end nobody knows. */
export type ProgressView =
  | {
      readonly kind: 'bytes';
      readonly label: string;
      readonly doneBytes: number;
      /** Absent where nobody knows. */
      readonly totalBytes?: number;
    }
  | { readonly kind: 'wait'; readonly label: string };

/** Since the label appeared. */
export interface Course {
  readonly elapsedMs: number;
  /** How many of the bytes came in that time. */
  readonly movedBytes: number;
}

const MOST_BAR_CELLS = 24;
const LEAST_BAR_CELLS = 6;
/** A rate from less time than this would jump about. */
const LEAST_RATED_MS = 500;
const spinner = ['|', '/', '-', '\\'] as const;
const SPIN_MS = 120;

/** One line of progress in at most `width` cells. */
export function formatProgress(view: ProgressView, course: Course, width: number): string {
  return cutToWidth(
    view.kind === 'wait' ? formatWait(view.label, course) : formatMove(view, course, width),
    width,
  );
}

function formatWait(label: string, { elapsedMs }: Course): string {
  const turn = spinner[Math.floor(elapsedMs / SPIN_MS) % spinner.length] ?? '';
  return `${turn} ${cleanLine(label)}  ${formatDuration(elapsedMs / 1000)}`;
}

function formatMove(
  { label, doneBytes, totalBytes }: Extract<ProgressView, { kind: 'bytes' }>,
  { elapsedMs, movedBytes }: Course,
  width: number,
): string {
  const rate = elapsedMs < LEAST_RATED_MS || movedBytes <= 0 ? undefined : movedBytes / (elapsedMs / 1000);
  const speed = rate === undefined ? '' : `  ${formatBytes(rate)}/s`;
  if (totalBytes === undefined || totalBytes <= 0)
    return `${cleanLine(label)}  ${formatBytes(doneBytes)}${speed}`;
  const share = Math.min(1, Math.max(0, doneBytes / totalBytes));
  const left =
    rate === undefined || share === 1 ? '' : `  ${formatDuration((totalBytes - doneBytes) / rate)} left`;
  const start = `${cleanLine(label)} [`;
  const end = `] ${Math.floor(share * 100)} %  ${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}${speed}${left}`;
  const room = width - displayWidth(start) - displayWidth(end);
  const cells = Math.max(LEAST_BAR_CELLS, Math.min(MOST_BAR_CELLS, room));
  const filled = Math.floor(share * cells);
  return `${start}${'#'.repeat(filled)}${'.'.repeat(cells - filled)}${end}`;
}
