// Rules of n8n's linter that its repository has and npm does not yet (0.32.0 is the newest there). n8n's own read the literal text of
// a class; these look at what the class describes, so that a description that is put together is judged as well.
import type { Aftermeet } from '../../../../nodes/nodes/Aftermeet/Aftermeet.node.ts';
import { listProperties } from './list-properties.ts';

/** n8n's limit: a hint stands below the field and pushes down what follows. */
const MAX_HINT_LENGTH = 120;

/** n8n's limit for the strongest colour of an icon against the canvas. */
const MIN_CONTRAST = 1.5;

/** The canvas of n8n's editor. */
const backgrounds = { light: '#ffffff', dark: '#2b2b2b' };

/** What n8n's panel knows. A node in any other category is not found there. */
const categories = new Set([
  'AI',
  'Analytics',
  'Communication',
  'Core Nodes',
  'Data & Storage',
  'Developer Tools',
  'Development',
  'ECM',
  'Finance & Accounting',
  'HITL',
  'Marketing & Content',
  'Miscellaneous',
  'Productivity',
  'Sales',
  'Utility',
]);

/** `single-credential-per-node`, without its exceptions for those that exclude each other: the names of those beside the first. */
export function findMoreCredentials({ credentials = [] }: Description): readonly string[] {
  return credentials.slice(1).map(({ name }) => name);
}

/** `options-sorted-alphabetically`: the paths of lists in another order than that of their names. */
export function findUnsortedOptions({ properties }: Description): readonly string[] {
  return listProperties(properties)
    .filter(({ property: { type, options = [] } }) => {
      if (type !== 'options') return false;
      const names = options.map(({ name }) => name);
      const sorted = names.toSorted((a, b) => a.localeCompare(b, undefined, { sensitivity: 'base' }));
      return names.join('\n') !== sorted.join('\n');
    })
    .map(({ path }) => path);
}

/** `hint-max-length`: the paths of properties whose hint is too long. */
export function findLongHints({ properties }: Description): readonly string[] {
  return listProperties(properties)
    .filter(({ property: { hint = '' } }) => hint.length > MAX_HINT_LENGTH)
    .map(({ path }) => path);
}

/** `open-ended-node-fields`: JSON that may be left out, in which settings hide. */
export function findOpenEndedFields({ properties }: Description): readonly string[] {
  return properties
    .filter(({ type, required }) => type === 'json' && required !== true)
    .map(({ name, displayOptions }) => {
      const { resource = [], operation = [] } = displayOptions?.show ?? {};
      return [...resource, ...operation, name].map(String).join('.');
    });
}

/** `icon-contrast`: whether no colour of the picture stands out on the canvas. */
export function isFaint(svg: string, theme: 'light' | 'dark'): boolean {
  const colors = [...svg.matchAll(/\b(?:fill|stroke|stop-color)="(#[0-9a-f]{3,6})"/gi)].map(
    ([, color = '']) => color,
  );
  return Math.max(1, ...colors.map((color) => measureContrast(color, backgrounds[theme]))) < MIN_CONTRAST;
}

/** `valid-codex-categories`. A node with an output is hidden in the category AI, unless a subcategory says that it is a root. */
export function findCodexFaults(codex: Codex): readonly string[] {
  const subcategories = codex.subcategories ?? {};
  const unknown = [...codex.categories, ...Object.keys(subcategories)].filter(
    (name) => !categories.has(name),
  );
  const roots = subcategories['AI'] ?? [];
  const hidden = codex.categories.includes('AI') && !roots.includes('Root Nodes');
  return hidden ? [...unknown, 'AI without Root Nodes'] : unknown;
}

/** `no-monorepo` and `require-mit-license`. */
export function findManifestFaults({ license, repository }: Manifest): readonly string[] {
  return [
    ...(repository.directory === undefined ? [] : ['repository.directory']),
    ...(license === 'MIT' ? [] : ['license']),
  ];
}

/** `require-continue-on-fail`: whether the class has a method `execute` that does not ask what to do with a failure. */
export function ignoresContinueOnFail(source: string): boolean {
  const [, rest] = source.split(/^ {2}async execute\(/m);
  if (rest === undefined) return false;
  const [body = ''] = rest.split(/^ {2}\}$/m);
  return !body.includes('this.continueOnFail()');
}

/** `node-operation-error-itemindex`: errors that do not say which item they are of. n8n's looks into `execute` alone. */
export function findErrorsWithoutItem(source: string): readonly string[] {
  return [...source.matchAll(/new Node(?:Operation|Api)Error\(/g)]
    .map(({ index }) => readCall(source, index))
    .filter((call) => !/\bitemIndex\b/.test(call));
}

interface Codex {
  readonly categories: readonly string[];
  readonly subcategories?: Readonly<Record<string, readonly string[]>> | undefined;
}

interface Manifest {
  readonly license: string;
  readonly repository: { readonly directory?: string | undefined };
}

type Description = Pick<Aftermeet['description'], 'credentials' | 'properties'>;

/** From `start` to the bracket that closes the first one. */
function readCall(source: string, start: number): string {
  let depth = 0;
  for (let index = start; index < source.length; index += 1) {
    if (source[index] === '(') depth += 1;
    if (source[index] === ')') depth -= 1;
    if (source[index] === ')' && depth === 0) return source.slice(start, index + 1);
  }
  return source.slice(start);
}

function measureContrast(color: string, background: string): number {
  const [bright = 0, dim = 0] = [color, background].map(measureLuminance).toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** As the guidelines for accessible content define it. */
function measureLuminance(color: string): number {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, '$&$&') : color.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
