/** Rows as a parameter. PostgreSQL keeps no NUL and no half of a character: one of them would fail the whole group. */
export function writeRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  // JSON writes both with an escape: where there is none, looking at each text is saved.
  if (!text.includes(String.raw`\u`)) return text;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(unstorable, '\u{FFFD}') : value,
  );
}

const unstorable = /[\0\p{Surrogate}]/gu;
