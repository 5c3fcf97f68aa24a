import { findLayers, hasParts, type Layers, readLayers } from './find-layers.ts';
import { asFilled, asText, type Fields, isFields, readFirst, spellNames } from './loose.ts';
import { lengthNames, readFlag, readTitle, startNames } from './read-heading.ts';

/** Fields of an error's description (specification, "Errors"; observed: `{code,message,field}`). */
const errorNames = ['error', 'errors', 'detail', 'stack'];
/** These stand in the envelope of a good answer too: `{code:0,message:'ok',data:…}`. */
const envelopeNames = spellNames('code', 'message', 'status_code');
const statusNames = spellNames('status', 'status_code', 'code');
const errorWords: ReadonlySet<string> = new Set(['error', 'fail']);
/** What no page about an error has beside its title. */
const otherNames = [
  ...startNames,
  ...lengthNames,
  'source',
  'platform',
  'participants',
  'keywords',
  'tasks',
  'decisions',
];

/**
 * Whether an answer is a report at all. An error or a maintenance page in JSON is not, and a recap made of it
 * would be the only one ever sent for its meeting.
 */
export function holdsReport(body: unknown): boolean {
  const layers = findLayers(body);
  const outer = layers.at(-1);
  if (outer === undefined) return false;
  if (layers.some(hasParts)) return true;
  const inner = layers.slice(0, -1);
  if (isError(outer) || inner.some(({ status }) => isErrorStatus(status))) return false;
  if (readTitle(inner) !== undefined || hasSubstance(inner)) return true;
  if (readFirst(outer, envelopeNames, asProblem) !== undefined) return false;
  // As the standard description of a problem has them (RFC 9457).
  if (asText(outer['type']) !== undefined && asText(outer['title']) !== undefined) return false;
  if (hasSubstance(layers)) return true;
  return readTitle(layers) !== undefined && readLayers(layers, otherNames, asFilled) !== undefined;
}

/** What no page about an error has at all. */
function hasSubstance(layers: Layers): boolean {
  return readLayers(layers, ['summary'], asText) !== undefined || readFlag(layers) !== undefined;
}

function isError(fields: Fields): boolean {
  return (
    readFirst(fields, errorNames, asProblem) !== undefined ||
    statusNames.some((name) => isErrorStatus(fields[name])) ||
    errorWords.has(asText(fields['status'])?.toLowerCase() ?? '')
  );
}

/** Of HTTP; a higher code is a service's own, and may be good news. */
function isErrorStatus(value: unknown): boolean {
  const status = Number(asText(value));
  return status >= 400 && status < 1000;
}

/** Anything but what says that there is none. */
function asProblem(value: unknown): unknown {
  const isNone = value === false || value === 0 || (isFields(value) && Object.keys(value).length === 0);
  return isNone ? undefined : asFilled(value);
}
