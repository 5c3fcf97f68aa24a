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

/** What the rule asks for, after the name of the field. */
export const walksUpRule = 'must not be . or .., nor hold them between slashes';
