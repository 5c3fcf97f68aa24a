import type { Inline, TextTree } from './text-tree.ts';
import { measureTree } from './text-tree.ts';

/** A summary in two: what came of the meeting in a sentence or two, and the rest. */
export interface SplitSummary {
  /** One paragraph; absent: the summary does not begin with one that can stand alone. */
  readonly outcome?: TextTree;
  readonly rest: TextTree;
}

/** UTF-16 units. A longer paragraph is split after a sentence. */
const MAX_OUTCOME = 300;

/** A shorter sentence, such as "We met.", takes the next one with it. */
const MIN_OUTCOME = 20;

/** Splits off the first paragraph, or its first sentences where it is long. Pure; no word is lost. */
export function splitOutcome(summary: TextTree): SplitSummary {
  const [first, ...others] = summary.children;
  if (first?.type !== 'paragraph') return { rest: summary };
  const paragraph: TextTree = { type: 'root', children: [first] };
  const isWhole = measureTree(paragraph) <= MAX_OUTCOME && !leadsOn(first.children, others.length);
  if (isWhole) {
    return { outcome: paragraph, rest: { type: 'root', children: others } };
  }
  const split = splitSentence(first.children);
  if (split === undefined) return { rest: summary };
  const [begin, end] = split;
  return {
    outcome: { type: 'root', children: [{ type: 'paragraph', children: begin }] },
    rest: { type: 'root', children: [{ type: 'paragraph', children: end }, ...others] },
  };
}

/** A bold line, or one that ends with a colon, belongs to what follows it. */
function leadsOn(nodes: readonly Inline[], following: number): boolean {
  const last = nodes.at(-1);
  if (nodes.length === 1 && last?.type === 'strong') return following > 0;
  return /[:：]\s*$/.test(lastText(last));
}

function lastText(node: Inline | undefined): string {
  if (node === undefined) return '';
  if ('value' in node) return node.value;
  return 'children' in node ? lastText(node.children.at(-1)) : '';
}

/**
 * The end of a sentence. What stands before a full stop may be an abbreviation ("Dr. Weber", "z. B. Das", "Prof. Lee"): a
 * word of up to three letters, or one of those below; and so may what is followed by a small letter.
 */
const sentenceEnd =
  /(?:(?<=[\p{L}\p{M}\p{N}]{4}|[)\]"'”»%])(?<!\b(?:[Pp]rof|[Ee]vtl|[Ii]nkl|[Bb]zgl|[Ii]nsb|[Dd]ept|[Cc]orp|[Ss]ept|[Uu]niv|[Ee]xm[oa]|[Aa]pprox))\.|[!?…।؟])["'”’»)\]]*\s+(?![\p{Ll}\s])|[。！？]["'”’」』）]*/gu;

/** The nodes of a paragraph before and after the first end of a sentence that is far enough, but not too far. */
function splitSentence(
  nodes: readonly Inline[],
): readonly [readonly Inline[], readonly Inline[]] | undefined {
  let length = 0;
  for (const [place, node] of nodes.entries()) {
    if (node.type === 'text') {
      for (const { 0: found, index } of node.value.matchAll(sentenceEnd)) {
        const end = index + found.length;
        if (length + end > MAX_OUTCOME) return undefined;
        if (length + end < MIN_OUTCOME && !/[。！？]/.test(found)) continue;
        const after = nodes.slice(place + 1);
        const rest = node.value.slice(end);
        if (rest === '' && after.length === 0) return undefined;
        return [
          [...nodes.slice(0, place), { type: 'text', value: node.value.slice(0, end).trimEnd() }],
          rest === '' ? after : [{ type: 'text', value: rest }, ...after],
        ];
      }
    }
    length += measureTree({ type: 'root', children: [{ type: 'paragraph', children: [node] }] }) - 1;
  }
  return undefined;
}
