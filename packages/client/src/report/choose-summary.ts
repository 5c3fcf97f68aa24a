import { isDecisions, isTasks, normaliseName } from './block-kind.ts';
import type { ReportBlock } from './report.ts';

/** The observed entities that tell of a whole meeting, the most general first. */
const ranks: ReadonlyMap<string, number> = new Map(
  [
    'summary',
    'summary_agenda',
    'sales_general',
    'hr_summary',
    'one_to_one',
    'team_sync_agenda',
    'protocol',
    'med_anamnesis',
    'research_insights',
    'sales_coach',
    'summary_by_speaker',
  ].map((name, rank) => [name, rank]),
);
const UNKNOWN_SUMMARY_RANK = 100;
const UNKNOWN_RANK = 101;
const LAST_RANK = 102;
const lastNames: ReadonlySet<string> = new Set(['questions_and_answers']);
const otherNames: ReadonlySet<string> = new Set(['keywords', 'tags', 'speakers', 'chapters', 'transcript']);

/**
 * The text that sums a meeting up, whichever template it was made from: an entity `summary`; else the report's own
 * `summary`; else the observed entity that is the most general; else one with `summary` in its name; else any
 * text that is no list of tasks, decisions or words; questions and answers at last.
 */
export function chooseSummary(blocks: readonly ReportBlock[], own: string | undefined): string | undefined {
  let best: { rank: number; text: string } | undefined;
  for (const { name, text } of blocks) {
    const rank = rankBlock(name);
    if (rank !== undefined && text.trim() !== '' && (best === undefined || rank < best.rank))
      best = { rank, text };
  }
  return best?.rank === 0 ? best.text : (own ?? best?.text);
}

function rankBlock(name: string): number | undefined {
  const key = normaliseName(name);
  if (isTasks(key) || isDecisions(key) || otherNames.has(key)) return undefined;
  if (lastNames.has(key)) return LAST_RANK;
  return ranks.get(key) ?? (key.includes('summary') ? UNKNOWN_SUMMARY_RANK : UNKNOWN_RANK);
}
