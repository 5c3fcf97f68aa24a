import { listRenderedLines, type RecipePreview } from '@aftermeet/recipes';

import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import type { Paint } from '../terminal/paint.ts';
import { describeCut, describeTarget, isDraft } from './preview-view.ts';

/** What each recipe would do, for a terminal: which conditions hold, and every message as its reader gets it. */
export function formatPreviews(previews: readonly RecipePreview[], paint: Paint): string {
  return previews.map((preview) => formatPreview(preview, paint)).join('\n');
}

function formatPreview(preview: RecipePreview, paint: Paint): string {
  const { name, use, isWanted, conditions, effects } = preview;
  const verdict = isWanted ? paint.good('takes this meeting') : paint.dim('does not take this meeting');
  return [
    `${paint.strong(cleanLine(name))} (${use}) ${verdict}`,
    ...conditions.map(({ condition, holds }) => `  ${markCondition(holds, paint)}  ${cleanLine(condition)}`),
    ...(isWanted && effects.length === 0 ? ['  nothing is sent'] : []),
    ...effects.flatMap((effect) => {
      const draft = isDraft(effect) ? ` ${paint.bad('a draft: sent once somebody approves of it')}` : '';
      const head = `  → ${paint.strong(cleanLine(describeTarget(effect, preview)))}${draft}`;
      const lines = effect.rendered === undefined ? [] : listRenderedLines(effect.rendered);
      return [
        head,
        ...(effect.skipped === undefined ? [] : [`    nothing: ${cleanLine(effect.skipped)}`]),
        ...trimEnd(lines.flatMap((line) => cleanText(line).split('\n'))).map((line) =>
          `    ${paint.dim('│')} ${line}`.trimEnd(),
        ),
      ];
    }),
    ...(preview.isCut ? [`  ${paint.bad(describeCut(preview))}`] : []),
    '',
  ].join('\n');
}

function markCondition(holds: boolean | undefined, paint: Paint): string {
  if (holds === undefined) return '?  ';
  return holds ? paint.good('yes') : paint.bad('no ');
}

function trimEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(0, last + 1);
}
