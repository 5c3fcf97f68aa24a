const SHOWN = 5;

/** Collects what was found, in sentences. The same sentence about several things is one, which names some of them. */
export function createFindings() {
  const found = new Map();
  const add = (sentence, what) => {
    const all = found.get(sentence) ?? [];
    if (what !== undefined) all.push(what);
    found.set(sentence, all);
  };
  return {
    add,
    expect: (isSo, sentence) => {
      if (!isSo) add(sentence);
    },
    list: () =>
      [...found].map(([sentence, all]) => {
        if (all.length === 0) return sentence;
        const more = all.length > SHOWN ? [`and ${all.length - SHOWN} more`] : [];
        return [`${sentence}: ${all.length}`, ...all.slice(0, SHOWN), ...more].join('\n    ');
      }),
  };
}

/** Lines with the first column to the left and the others to the right. */
export function drawTable(titles, rows) {
  const widths = titles.map((_title, at) => Math.max(...[titles, ...rows].map((row) => row[at].length)));
  return [titles, ...rows].map((row) => {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
    return `  ${cells.join('   ')}`.trimEnd();
  });
}
