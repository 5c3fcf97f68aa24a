/** The largest time that eleven digits can hold (the year 5138); it fits a safe integer. */
export const maxTimestampSeconds = 99_999_999_999;

// Exactly one spelling for each second: `+1`, `01`, `1.0`, `1e3` and blanks are not the literal that was signed.
const timestampPattern = /^(0|[1-9][0-9]{0,10})$/;

/** Whether the text is a Unix time in whole seconds, in the only spelling that is accepted. */
export function isTimestampText(text: string): boolean {
  return timestampPattern.test(text);
}
