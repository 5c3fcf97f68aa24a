import { cleanLine } from './clean-text.ts';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly read: (row: Row) => string | undefined;
  /** Gives way first where a terminal is too narrow. */
  readonly shrinks?: boolean;
}

const GAP = '  ';
const LEAST_WIDTH = 8;

/**
 * A table with a line of titles, one line a row. `width` is the terminal's: without it nothing is cut. Every
 * cell is cleaned of what a terminal would obey.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width?: number,
): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ read }) => cleanLine(read(row) ?? ''))),
  ];
  const natural = columns.map((_column, index) =>
    lines.reduce((most, cells) => Math.max(most, displayWidth(cells[index] ?? '')), 0),
  );
  const widths = width === undefined ? natural : shrinkWidths(natural, columns, width);
  const text = lines.map((cells) => {
    const line = cells
      .map((cell, index) => padToWidth(cutToWidth(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
    return width === undefined ? line : cutToWidth(line, width);
  });
  return `${text.join('\n')}\n`;
}

/** Takes cells from the columns that shrink, each time from the widest one, until the table fits. */
function shrinkWidths<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  width: number,
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, cells) => sum + cells, 0) + GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    let widest = -1;
    for (const [index, cells] of widths.entries()) {
      const mayShrink = columns[index]?.shrinks === true && cells > LEAST_WIDTH;
      if (mayShrink && cells > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
