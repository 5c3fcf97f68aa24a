/** One broken rule of an input, as data. `received` alone repeats a value of the input: a number, or text that is no secret. */
export interface Problem {
  /** Where: `['participants', 1]`; empty when the input as a whole is wrong. */
  readonly path: readonly (string | number)[];
  /** `missing`: no value. `invalid`: not what is expected. `unknown`: no such name. `unusable`: see `reason`. */
  readonly code: 'missing' | 'invalid' | 'unknown' | 'unusable';
  /** What the value must be, after "must be": `text that is not empty`. */
  readonly expected?: string;
  /** What was found: `"2026-02-30"` in a field that holds no secrets, else its kind: `text of length 3`, `the number 5`, `null`. */
  readonly received?: string;
  /** The names that exist in place of an unknown one. */
  readonly allowed?: readonly string[];
  /** The one of `allowed` that was probably meant. */
  readonly nearest?: string;
  /** Why a value of the right form cannot be used, as a clause without secrets. */
  readonly reason?: string;
  /** The option of the call that takes the value all the same: `allowPast`. */
  readonly override?: string | undefined;
}

/** A name that does not exist, where only the allowed ones do. */
export function unknownName(path: Problem['path'], allowed: readonly string[]): Problem {
  const nearest = findNearestName(String(path.at(-1) ?? ''), allowed);
  return { path, code: 'unknown', allowed, ...(nearest === undefined ? {} : { nearest }) };
}

/** The kind of a value, for `received`. */
export function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (value === '') return 'empty text';
  if (typeof value === 'string') return `text of length ${value.length}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? `the number ${value}` : 'a number that is not finite';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** For `received` of a value that is no secret: the value, if it is a short line of text. */
export function describeValue(value: unknown): string {
  return typeof value === 'string' && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,60}$/u.test(value)
    ? `"${value}"`
    : describeKind(value);
}

/** `participants[1]`, `endpoint.name`. */
export function formatPath(path: Problem['path']): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
}

/** The names that are allowed, the probable one first: `color? (one of name, color)`. */
export function formatAllowed({ allowed = [], nearest }: Pick<Problem, 'allowed' | 'nearest'>): string {
  if (allowed.length === 0) return 'nothing';
  const list = `one of ${allowed.join(', ')}`;
  return nearest === undefined ? list : `${nearest}? (${list})`;
}

/** The problem as a clause: `link must be a web address; found text of length 3`. `name` is what the reader calls the field. */
export function formatProblem(problem: Problem, name = formatPath(problem.path)): string {
  const { code, expected, received } = problem;
  const start = name === '' ? '' : `${name} `;
  if (code === 'unknown') return `${start}is not known; expected ${formatAllowed(problem)}`;
  if (code === 'missing') return `${start}is missing${expected === undefined ? '' : `: must be ${expected}`}`;
  if (code === 'unusable') return `${start}cannot be used: ${problem.reason ?? 'unknown reason'}`;
  const found = received === undefined ? '' : `; found ${received}`;
  const override = problem.override === undefined ? '' : ` (${problem.override} overrides this)`;
  return `${start}must be ${expected ?? 'another value'}${found}${override}`;
}

export function formatProblems(problems: readonly Problem[]): string {
  return problems.map((problem) => formatProblem(problem)).join('; ');
}

/** No name is longer; the rest of what was written is not compared. */
const maxLength = 100;

/** The known name that was most probably meant, if any is near enough to be a slip of the finger. */
export function findNearestName(written: string, known: readonly string[]): string | undefined {
  const word = written.slice(0, maxLength).toLowerCase();
  const reach = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((name) => ({ name, distance: countEdits(word, name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const nearest = ranked[0];
  return nearest !== undefined && nearest.distance <= reach ? nearest.name : undefined;
}

/** `slack-recap? (one of …)`, or only what is known. */
export function suggestName(written: string, known: readonly string[]): string {
  const nearest = findNearestName(written, known);
  const list = `one of ${known.join(', ')}`;
  return nearest === undefined ? list : `${nearest}? (${list})`;
}

/** How many letters must be added, dropped or changed to come from one word to the other. */
function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? to.length;
}
