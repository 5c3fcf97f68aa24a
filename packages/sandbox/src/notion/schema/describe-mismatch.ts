/** One way in which a value is not what Notion takes. */
export interface Mismatch {
  /** `body.children[0].paragraph.rich_text` */
  readonly path: string;
  /** What it should be; any of them would do. */
  readonly expected: readonly string[];
  /** What it was instead; undefined: it is not there. */
  readonly value: unknown;
}

/** How much of a value Notion repeats (as its answers show: 55 characters). */
const quotedLength = 55;

/** Notion's own line: ``body.children should be an array, instead was `5`.`` */
export function describeMismatch({ path, expected, value }: Mismatch): string {
  return `${path} should be ${listChoices(expected)}, instead was ${quoteValue(value)}.`;
}

/** A value's JSON between backticks, cut. */
export function quoteValue(value: unknown): string {
  const text = value === undefined ? 'undefined' : writeJson(value);
  return text.length > quotedLength ? `\`${text.slice(0, quotedLength)}...\`` : `\`${text}\``;
}

/** A value that is nested too deeply to be written is quoted by its beginning alone. */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return (Array.isArray(value) ? '[' : '{').repeat(quotedLength + 1);
  }
}

/** `a`; `a or b`; `a, b, or c` */
function listChoices(choices: readonly string[]): string {
  const [last = '', ...others] = choices.toReversed();
  if (others.length < 2) return [...others.toReversed(), last].join(' or ');
  return `${others.toReversed().join(', ')}, or ${last}`;
}
