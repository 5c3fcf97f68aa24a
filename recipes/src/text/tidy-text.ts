// oxlint-disable-next-line no-control-regex -- removing control characters is what this is for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** With the `u` flag only a surrogate without its partner matches. */
const loneSurrogates = /\p{Surrogate}/gu;
const lineEnds = /\r\n?|\u2028|\u2029/g;

/** Text that every vendor accepts: well-formed Unicode, `\n` line ends, no control characters but tab. */
export function tidyText(text: string): string {
  return text.replace(lineEnds, '\n').replace(controls, '').replace(loneSurrogates, '\uFFFD');
}

/** The same on one line: a title or a name cannot bring a line of its own. */
export function tidyLine(text: string): string {
  return tidyText(text).replace(/\s+/g, ' ').trim();
}
