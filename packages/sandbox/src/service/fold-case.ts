/** For comparing without case. Upper case first: then `ß` and `SS` are the same; and `é` is the same written as one character or as two. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}
