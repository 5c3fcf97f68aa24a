import type { Words } from '../words/en.ts';
import { cutText } from './clean-text.ts';
import type { Digest } from './digest.ts';
import { splitOutcome } from './outcome.ts';
import { literalText } from './parse-text.ts';
import { plainText } from './plain-text.ts';
import type { DigestSection } from './sections.ts';
import type { TaskGroup } from './tasks.ts';
import type { TextTree } from './text-tree.ts';

/** The parts of a message, in their usual order. `more`: the other sections of the report. */
export const partNames = ['outcome', 'summary', 'decisions', 'tasks', 'more'] as const;

export type PartName = (typeof partNames)[number];

/** A part with its heading. */
export type MessagePart =
  | { readonly kind: 'summary'; readonly title: string; readonly text: TextTree }
  | { readonly kind: 'decisions'; readonly title: string; readonly decisions: readonly TextTree[] }
  | {
      readonly kind: 'tasks';
      readonly title: string;
      readonly groups: readonly TaskGroup[];
      /** They are the reader's, whose name says nothing to themselves. */
      readonly isOwn: boolean;
    }
  | { readonly kind: 'more'; readonly sections: readonly DigestSection[] };

export interface Arranged {
  /** One paragraph right under the title, above the facts; absent: the summary has none. */
  readonly outcome?: TextTree;
  /** Parts without content are left out; a summary that is missing says so. */
  readonly parts: readonly MessagePart[];
}

export interface Arrangement {
  readonly parts?: readonly PartName[] | undefined;
  /** The address of the reader, whose own tasks come first. */
  readonly reader?: string | undefined;
}

const MAX_CUT_OUTCOME = 300;

/** What a message shows of a digest, and in which order. Pure. */
export function arrangeDigest(digest: Digest, words: Words, arrangement: Arrangement = {}): Arranged {
  const { parts: wanted = partNames, reader } = arrangement;
  const { outcome, rest } = readSummary(digest.summary, wanted);
  const [own, others] = splitByReader(digest.taskGroups, wanted.includes('tasks') ? reader : undefined);
  const list = (part: PartName): readonly MessagePart[] => {
    switch (part) {
      case 'outcome':
        return [];
      case 'summary':
        if (rest.children.length === 0 && outcome !== undefined) return [];
        return [{ kind: 'summary', title: words.summary, text: orElse(rest, words.noSummary) }];
      case 'decisions': {
        const { decisions } = digest;
        return decisions.length === 0 ? [] : [{ kind: 'decisions', title: words.decisions, decisions }];
      }
      case 'tasks':
        return listTasks(own.length === 0 ? words.tasks : words.moreTasks, others, false);
      case 'more':
      default:
        return digest.sections.length === 0 ? [] : [{ kind: 'more', sections: digest.sections }];
    }
  };
  const parts = [...listTasks(words.yourTasks, own, true), ...wanted.flatMap(list)];
  return outcome === undefined ? { parts } : { outcome, parts };
}

/** Without the rest, a summary that has no sentence of its own for the outcome is cut. */
function readSummary(
  summary: TextTree,
  wanted: readonly PartName[],
): { readonly outcome?: TextTree; readonly rest: TextTree } {
  if (!wanted.includes('outcome')) return { rest: summary };
  const split = splitOutcome(summary);
  if (split.outcome !== undefined || wanted.includes('summary')) return split;
  const beginning = cutText(plainText(summary).replaceAll(/\s+/g, ' ').trim(), MAX_CUT_OUTCOME);
  return beginning === '' ? split : { outcome: literalText(beginning), rest: split.rest };
}

function orElse(text: TextTree, words: string): TextTree {
  return text.children.length === 0 ? literalText(words) : text;
}

function listTasks(title: string, groups: readonly TaskGroup[], isOwn: boolean): readonly MessagePart[] {
  return groups.length === 0 ? [] : [{ kind: 'tasks', title, groups, isOwn }];
}

function splitByReader(
  groups: readonly TaskGroup[],
  reader: string | undefined,
): readonly [readonly TaskGroup[], readonly TaskGroup[]] {
  if (reader === undefined) return [[], groups];
  const isOwn = ({ email }: TaskGroup): boolean => email?.toLowerCase() === reader.toLowerCase();
  return [groups.filter(isOwn), groups.filter((group) => !isOwn(group))];
}
