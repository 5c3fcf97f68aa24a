// oxlint-disable-next-line no-control-regex -- removing control characters is what this is for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Embeddings, overrides and isolates (Unicode UAX #9): one left open turns around whatever stands behind the text. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
/** With the `u` flag only a surrogate without its partner matches. */
const loneSurrogates = /\p{Surrogate}/gu;
const lineEnds = /\r\n?|\u2028|\u2029/g;

/** What of the above may have to be mended; a transcript is nearly always clean, and one look is all it costs. */
// oxlint-disable-next-line no-control-regex -- as above
const doubtful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;
const doubtfulLine =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|[^\S ]| {2}|^ | $/;

/** Text that every vendor accepts: well-formed Unicode, `\n` line ends, no control characters but tab, none of direction. */
export function tidyText(text: string): string {
  if (!doubtful.test(text)) return text;
  return text
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(bidiControls, '')
    .replace(loneSurrogates, '\uFFFD');
}

/** The same on one line: a title or a name cannot bring a line of its own. */
export function tidyLine(text: string): string {
  if (!doubtfulLine.test(text)) return text;
  return tidyText(text).replace(/\s+/g, ' ').trim();
}
