import type { ServiceError } from '@aftermeet/client/pure';

/** What the usual codes of Node.js mean. */
const codeWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'The service refused the connection'],
  ['ECONNRESET', 'The service broke off the connection'],
  ['ENOTFOUND', 'The host of the service is not known'],
  ['EAI_AGAIN', 'The host of the service could not be looked up'],
  ['EHOSTUNREACH', 'The host of the service can not be reached'],
  ['ENETUNREACH', 'The host of the service can not be reached'],
]);

/** The one word that a fault of the network leaves, which other words may follow. */
const codeAtStart = /^\w+(?=;|$)/;
/** No name of a field. */
const plainWordAtStart = /^[a-z]+(?=[\s,.:;]|$)/;

/** What people know a field on the wire by, by its name there. */
export type FieldLabels = ReadonlyMap<string, string>;

/**
 * What happened, as the first thing that people read: in the service's own words where it gave any. A field that was refused here
 * goes by its label. Pure.
 */
export function sayWhatHappened(error: ServiceError, labels: FieldLabels = new Map()): string {
  const { code, status, message } = error;
  const detail = code === 'bad_request' && error.unsent ? labelFields(error.detail, labels) : error.detail;
  if (code === 'aborted') return 'The execution was cancelled';
  if (detail === undefined) return status === undefined ? message : `The service answered ${status}`;
  const words = status === undefined ? detail.replace(codeAtStart, sayCode) : detail;
  return words.replace(plainWordAtStart, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** Each problem begins with the name of its field (build-wire-request.ts). */
function labelFields(problems: string | undefined, labels: FieldLabels): string | undefined {
  return problems
    ?.split('; ')
    .map((problem) => problem.replace(/^\w+(?= )/, (name) => labels.get(name) ?? name))
    .join('; ');
}

function sayCode(code: string): string {
  return `${codeWords.get(code) ?? 'The connection to the service failed'} (${code})`;
}
