import { equivalents } from './equivalents.mjs';

/** A line for each change that no test noticed and nobody gave a reason for, and the counts of all. */
export function judge(report) {
  const counts = {};
  const lines = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    for (const mutant of mutants) {
      counts[mutant.status] = (counts[mutant.status] ?? 0) + 1;
      if (!['Survived', 'NoCoverage'].includes(mutant.status)) continue;
      const was = textAt(source, mutant.location);
      const inLine = source.split('\n')[mutant.location.start.line - 1];
      const isKnown = equivalents.some(
        (each) =>
          file.endsWith(each.file) &&
          inLine.includes(each.line) &&
          each.was === was &&
          each.becomes === mutant.replacement,
      );
      if (isKnown) {
        counts.equivalent = (counts.equivalent ?? 0) + 1;
        continue;
      }
      const { line, column } = mutant.location.start;
      lines.push(
        `${file}:${line}:${column} ${mutant.mutatorName}: ${JSON.stringify(was)} became ${JSON.stringify(mutant.replacement)}`,
      );
    }
  }
  const words = Object.entries(counts).map(([status, count]) => `${count} ${status.toLowerCase()}`);
  return { lines, counts: words.join(', ') };
}

/** Lines and columns count from 1. */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}
