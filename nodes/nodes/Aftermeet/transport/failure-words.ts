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

/** What happened, as the first thing that people read: in the service's own words where it gave any. Pure. */
export function sayWhatHappened({ code, status, detail, message }: ServiceError): string {
  if (code === 'aborted') return 'The execution was cancelled';
  if (detail === undefined) return status === undefined ? message : `The service answered ${status}`;
  const words = status === undefined ? detail.replace(codeAtStart, sayCode) : detail;
  return words.replace(plainWordAtStart, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function sayCode(code: string): string {
  return `${codeWords.get(code) ?? 'The connection to the service failed'} (${code})`;
}
