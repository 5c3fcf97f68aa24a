const halfPair = /\p{Surrogate}/u;

/** Whether the text is an address of the web as it is to be sent: URL alone is too kind, it trims and reads `https:example.com`. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(value) && !halfPair.test(value) && isAddress(value);
}

/** Not `URL.canParse`: once it is hot, that of Node 20 takes no host with a letter such as ä for one. */
function isAddress(value: string): boolean {
  try {
    return new URL(value).host !== '';
  } catch {
    return false;
  }
}

const separator = String.raw`(?:[/\\]|%(?:25)*(?:2f|5c))`;

const dot = String.raw`(?:\.|%(?:25)*2e)`;

const dotSegment = new RegExp(`(?:^|${separator})${dot}{1,2}(?:${separator}|$)`, 'i');

/**
 * Whether a value would walk up the path that it is put into. Encoded it is one segment (RFC 3986, 3.3), but proxies in
 * between decode slashes and resolve `.` and `..` before they pass a path on, and no id has such parts. Pure.
 */
export function walksUp(value: string): boolean {
  return dotSegment.test(value);
}

/** What the rule asks for, after "must be". */
export const walksUpRule = 'a value that is not . or .. and does not hold them between slashes';

/** Whether the runtime's own time-zone data knows the IANA name. Offsets such as `+03:00` are no names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl has no other way to say that it does not know a zone.
    return false;
  }
}
