import {
  Context,
  Liquid,
  type LiquidErrors,
  LiquidError,
  Output,
  type Template,
  toValueSync,
} from 'liquidjs';

/** A body as the settings have it: a tree whose texts are Liquid templates. */
export interface BodyTemplate {
  /** The names that the templates read, without those that they set themselves. */
  readonly names: readonly BodyName[];
  /** The same data gives the same body. `cause` holds no content. */
  render(
    data: Readonly<Record<string, unknown>>,
  ): { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly cause: string };
}

/** A name in a template. */
export interface BodyName {
  /** Where the template stands in the body. */
  readonly place: readonly string[];
  /** `['tasks', 'owner']`: without positions in lists. */
  readonly path: readonly string[];
}

/** Why a body is none. `message` says what is expected there, and repeats nothing of the template. */
export interface BodyProblem {
  readonly place: readonly string[];
  readonly message: string;
}

/** Texts of one body. */
const MAX_TEXTS = 200;
const MAX_DEPTH = 20;
/** Characters of one template. */
const MAX_TEMPLATE = 20_000;
/**
 * Milliseconds for all texts of one body: the worker does nothing else meanwhile. A loop over a transcript of 2 million
 * characters in 20,000 lines takes 200 to 400 (Node 20, 2 cores).
 */
const MAX_RENDER_MS = 2000;
/** Characters and list items that one text makes, about 40 MB. A report has at most 2.2 million characters. */
const MAX_RENDER_SIZE = 20_000_000;

/** Tags that read files, and those that change what later templates see. */
const tagsLeftOut = ['include', 'render', 'layout', 'block', 'increment', 'decrement'];

/** `sample` picks by chance. The others are `date` with a format of their own. */
const filtersLeftOut = [
  'sample',
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
];

const liquid = openLiquid();

function openLiquid(): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    parseLimit: MAX_TEMPLATE,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_RENDER_SIZE,
  });
  for (const name of tagsLeftOut) delete engine.tags[name];
  for (const name of filtersLeftOut) engine.unregisterFilter(name);
  const { date } = engine.filters;
  if (typeof date !== 'function') throw new Error('liquidjs has no filter date');
  // The clock would give one report another body at each attempt.
  engine.registerFilter('date', function formatDate(value: unknown, ...rest: unknown[]): unknown {
    return value === 'now' || value === 'today' ? value : date.call(this, value, ...rest);
  });
  return engine;
}

/** Reads a body of the settings, with every problem that it has. */
export function parseBodyTemplate(
  value: unknown,
):
  | { readonly ok: true; readonly template: BodyTemplate }
  | { readonly ok: false; readonly problems: readonly BodyProblem[] } {
  const problems: BodyProblem[] = [];
  const leaves: Leaf[] = [];
  if (typeof value !== 'object' || value === null) {
    problems.push({ place: [], message: 'a mapping or a list, whose texts are Liquid templates' });
  }
  const make = parseNode(value, [], { problems, leaves });
  if (leaves.length > MAX_TEXTS) problems.push({ place: [], message: `at most ${MAX_TEXTS} texts` });
  if (problems.length > 0) return { ok: false, problems };
  const names = leaves.flatMap(({ place, templates }) =>
    liquid.globalVariableSegmentsSync(templates).map((segments) => ({ place, path: toPath(segments) })),
  );
  return { ok: true, template: { names, render: (data) => render(make, data) } };
}

interface Leaf {
  readonly place: readonly string[];
  readonly templates: Template[];
}

interface Parsing {
  readonly problems: BodyProblem[];
  readonly leaves: Leaf[];
}

/** Makes the value of one node from the data. */
type MakeValue = (data: object, untilMs: number) => unknown;

function parseNode(value: unknown, place: readonly string[], parsing: Parsing): MakeValue {
  if (place.length > MAX_DEPTH) {
    parsing.problems.push({ place: place.slice(0, 1), message: `at most ${MAX_DEPTH} levels` });
    return () => null;
  }
  if (typeof value === 'string') return parseLeaf(value, place, parsing);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => parseNode(item, [...place, String(index)], parsing));
    return (data, untilMs) => items.map((make) => make(data, untilMs));
  }
  if (typeof value !== 'object' || value === null) return () => value;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    if (!key.includes('{')) return [key, parseNode(item, [...place, key], parsing)] as const;
    // YAML takes `title: {{ title }}` for a mapping.
    parsing.problems.push({ place, message: "quotes around each text with braces: '{{ title }}'" });
    return [key, () => null] as const;
  });
  return (data, untilMs) => Object.fromEntries(entries.map(([key, make]) => [key, make(data, untilMs)]));
}

function parseLeaf(text: string, place: readonly string[], { problems, leaves }: Parsing): MakeValue {
  let templates: Template[];
  try {
    templates = liquid.parse(text);
  } catch (error) {
    problems.push({ place, message: describeParseError(error) });
    return () => null;
  }
  leaves.push({ place, templates });
  const [only, ...others] = templates;
  if (only instanceof Output && others.length === 0) {
    return (data, untilMs) => {
      const context = new Context(data, liquid.options, { sync: true, ...limit(untilMs) }, { liquid });
      return toValueSync(only.value.value(context, false)) ?? null;
    };
  }
  return (data, untilMs): unknown => liquid.renderSync(templates, data, limit(untilMs));
}

function limit(untilMs: number) {
  return { renderLimit: Math.max(1, untilMs - performance.now()) };
}

function render(make: MakeValue, data: object): ReturnType<BodyTemplate['render']> {
  try {
    return { ok: true, body: make(data, performance.now() + MAX_RENDER_MS) };
  } catch (error) {
    const isTooMuch = error instanceof Error && error.message.includes('limit exceeded');
    const why = isTooMuch
      ? 'its templates take too much time or memory'
      : 'a template fails with this report';
    return { ok: false, cause: `the body cannot be made: ${why}` };
  }
}

/** Names of filters and tags are shown; the rest of a template may hold a secret. */
function describeParseError(error: unknown): string {
  const expected = 'a Liquid template';
  if (!(error instanceof Error)) return expected;
  const [, filter] = /^undefined filter: ([a-z_]{1,40}),/i.exec(error.message) ?? [];
  if (filter !== undefined) return `${expected}; there is no filter ${filter}`;
  const [, tag] = /^tag "([a-z_]{1,40})" not found/i.exec(error.message) ?? [];
  if (tag !== undefined) return `${expected}; there is no tag ${tag}`;
  if (error.message.includes('limit exceeded')) return `${expected} of at most ${MAX_TEMPLATE} characters`;
  const [line, column] = LiquidError.is(error) ? (error as LiquidErrors).token.getPosition() : [];
  return line === undefined ? expected : `${expected}; see line ${line}, column ${column} of the text`;
}

/** `tasks[0].owner`, `tasks.first.owner` and `tasks.size` as fields of the data. */
function toPath(segments: readonly unknown[]): readonly string[] {
  return segments.filter(
    (segment): segment is string => typeof segment === 'string' && !listWords.has(segment),
  );
}

const listWords: ReadonlySet<string> = new Set(['first', 'last', 'size']);
