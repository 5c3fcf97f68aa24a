/** Colours for a person at a terminal; plain text everywhere else. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function createPaint(isTerminal: boolean): Paint {
  const code = (number: number) => (text: string) =>
    isTerminal ? `\u001B[${number}m${text}\u001B[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2), strong: code(1) };
}
