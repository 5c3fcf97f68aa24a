const DEFAULT_NAME = 'recording';

/**
 * The name under which a file is sent: of a path, in whichever system's spelling, its last part, as in the client. What is no
 * text stays, for the rule to refuse. Pure.
 */
export function nameFile(given: unknown = DEFAULT_NAME): unknown {
  if (typeof given !== 'string') return given;
  const last = given.split(/[/\\]/).at(-1) ?? '';
  return /^\s*\.{0,2}\s*$/.test(last) ? DEFAULT_NAME : last;
}
