const MARK = ' [did not run: ';
const COMMAND = '; bring it with: ';

/** The name of a skipped suite carries the reason, so that the reporter can find it. */
export function nameMissingSuite(
  title: string,
  { reason, command }: { readonly reason: string; readonly command: string },
): string {
  return `${title}${MARK}${reason}${COMMAND}${command}]`;
}

/** Reads {@link nameMissingSuite}'s names; `undefined` for every other suite. */
export function readMissingSuite(
  name: string,
): { readonly title: string; readonly reason: string; readonly command: string } | undefined {
  const start = name.indexOf(MARK);
  const middle = name.lastIndexOf(COMMAND);
  if (start < 0 || middle < start) return undefined;
  return {
    title: name.slice(0, start),
    reason: name.slice(start + MARK.length, middle),
    command: name.slice(middle + COMMAND.length, -1),
  };
}
