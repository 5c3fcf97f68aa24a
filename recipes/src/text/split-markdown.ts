/** A stretch of Markdown that means the same when it is read by itself. */
export type MarkdownPart =
  | { readonly type: 'flow'; readonly markdown: string; readonly continuesList: boolean }
  | { readonly type: 'code'; readonly lang: string; readonly value: string };

/** A part is closed at the first safe place behind this length: small enough that one bad part spoils little. */
const partLength = 1500;

const fence = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const bullet = /^[-*+](?:[ \t]|$)/;
const filledBullet = /^[-*+][ \t]+\S/;
const numbered = /^\d{1,9}[.)](?:[ \t]|$)/;
const headingStart = /^#{1,6}(?:[ \t]|$)/;

/**
 * Cuts Markdown into parts of some 1500 characters where nothing reaches over the cut: before a heading, behind an empty
 * line, and between the items of a list (which are joined again afterwards). Code between fences is a part of its own.
 * One pass over the lines (CommonMark 0.31.2, sections 4 and 5).
 */
export function splitMarkdown(markdown: string): readonly MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let lines: string[] = [];
  let length = 0;
  let continuesList = false;
  let listOf: RegExp | undefined;

  const close = (nextContinuesList: boolean): void => {
    const text = lines.join('\n');
    if (text.trim() !== '') parts.push({ type: 'flow', markdown: text, continuesList });
    lines = [];
    length = 0;
    continuesList = nextContinuesList;
  };

  const all = markdown.split('\n');
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at] ?? '';
    const opened = fence.exec(line);
    if (opened !== null) {
      close(false);
      listOf = undefined;
      const marks = opened[1] ?? opened[3] ?? '';
      const end = findFenceEnd(all, at + 1, marks);
      const value = all.slice(at + 1, end).join('\n');
      parts.push({ type: 'code', lang: (opened[2] ?? opened[4] ?? '').trim(), value });
      at = end;
      continue;
    }
    const isAfterBlank = at === 0 || (all[at - 1] ?? '').trim() === '';
    const isOuter = line !== '' && !/^\s/.test(line);
    const isNextItem = isOuter && listOf?.test(line) === true;
    const isHeading = headingStart.test(line);
    if (length > partLength && (isNextItem || isHeading || (isOuter && isAfterBlank))) close(isNextItem);
    if (isOuter && (isAfterBlank || isHeading)) {
      listOf = [bullet, numbered].find((marker) => marker.test(line));
    } else if (isOuter && filledBullet.test(line)) {
      // A bullet needs no empty line before it (section 5.3).
      listOf = bullet;
    }
    lines.push(line);
    length += line.length + 1;
  }
  close(false);
  return parts;
}

/** The index of the line that ends the code, or of the line behind the last one. */
function findFenceEnd(lines: readonly string[], from: number, marks: string): number {
  const mark = marks.charAt(0);
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim();
    if (line.length >= marks.length && line.startsWith(marks) && line === mark.repeat(line.length)) return at;
  }
  return lines.length;
}
