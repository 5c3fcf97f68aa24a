const wordPattern = /[\p{L}\p{N}]/u;
const nothingPattern =
  /^(?:(?:there (?:are|were) )?no (?:[a-z-]+ ){0,2}(?:tasks?|actions?|items?|decisions?|to-?dos?)|none|nothing|n\/a|not applicable)(?: (?:are|is|was|were|have been|has been|could be))?(?: (?:identified|made|found|recorded|mentioned|assigned|agreed|agreed on|discussed|taken|reached|noted|detected|stated|given))?(?: (?:in|at|from|during) (?:the|this) (?:meeting|call|conversation|discussion|transcript|recording))?[.!]?$/i;
/** Nobody says nothing in more words. */
const MAX_LENGTH = 120;

export function hasWords(text: string): boolean {
  return wordPattern.test(text);
}

/** Whether an entry of a list says only that the list is empty: `None.`, `No tasks were identified.`, `—`. */
export function saysNothing(text: string): boolean {
  return !hasWords(text) || (text.length <= MAX_LENGTH && nothingPattern.test(text.trim()));
}
