import {
  expandTarget,
  isBuiltInMessage,
  type PreviewedEffect,
  type RecipePreview,
  writeMessage,
} from '@aftermeet/recipes';

import { formatJson, type Paint } from '../terminal/format.ts';
import { cleanLine, cleanText } from '../terminal/text.ts';

type MessageTexts = ReadonlyMap<PreviewedEffect, string>;

/**
 * What each recipe would do, for a terminal: which conditions hold, the targets of its messages, and below each target the
 * text of its message, where `texts` has it.
 */
export function formatPreviews(
  previews: readonly RecipePreview[],
  paint: Paint,
  texts: MessageTexts = new Map(),
): string {
  return previews.map((preview) => formatPreview(preview, paint, texts)).join('\n');
}

/** Every message as plain text; that of a destination of one's own as JSON. */
export async function writeMessages(previews: readonly RecipePreview[]): Promise<MessageTexts> {
  const texts = new Map<PreviewedEffect, string>();
  for (const effect of previews.flatMap(({ effects }) => effects)) {
    const { rendered } = effect;
    if (rendered === undefined) continue;
    texts.set(effect, (await writeMessage(rendered)) ?? formatJson(rendered.message));
  }
  return texts;
}

function formatPreview(preview: RecipePreview, paint: Paint, texts: MessageTexts): string {
  const { name, use, isWanted, conditions, effects } = preview;
  const answer = isWanted ? paint.good('takes this meeting') : paint.dim('does not take this meeting');
  return [
    `${paint.strong(cleanLine(name))} (${use}) ${answer}`,
    ...conditions.map(
      ({ condition, holds, saw }) =>
        `  ${markCondition(holds, paint)}  ${cleanLine(condition)}${saw === '' ? '' : paint.dim(`  (${cleanLine(saw)})`)}`,
    ),
    ...(isWanted && effects.length === 0 ? ['  nothing is sent'] : []),
    ...effects.flatMap((effect) => {
      const draft = isDraft(effect) ? ` ${paint.bad('a draft: sent after approval')}` : '';
      return [
        `  → ${paint.strong(cleanLine(describeTarget(effect, preview)))}${draft}`,
        ...(effect.skipped === undefined ? [] : [`    nothing: ${cleanLine(effect.skipped)}`]),
        ...indent(texts.get(effect)),
      ];
    }),
    ...(preview.refused === undefined ? [] : [`  ${paint.bad(cleanLine(preview.refused.text))}`]),
    ...(preview.isCut ? [`  ${paint.bad(describeCut(preview))}`] : []),
    '',
  ].join('\n');
}

function indent(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  const lines = cleanText(text).trimEnd().split('\n');
  return ['', ...lines.map((line) => (line === '' ? '' : `    ${line}`)), ''];
}

function markCondition(holds: boolean | undefined, paint: Paint): string {
  if (holds === undefined) return '?  ';
  return holds ? paint.good('yes') : paint.bad('no ');
}

/** The target of an effect, in words. */
export function describeTarget(
  effect: Pick<PreviewedEffect, 'destination' | 'part' | 'target' | 'rendered'>,
  recipe: Pick<RecipePreview, 'destination'>,
): string {
  const { destination = recipe.destination, part, target } = effect;
  if (target === expandTarget) return destination;
  const behind = part === 0 ? '' : destination === 'slack' ? `, in the thread (${part})` : `, part ${part}`;
  return `${nameTarget(destination, effect)}${behind}`;
}

function nameTarget(
  destination: RecipePreview['destination'],
  { target, rendered }: Pick<PreviewedEffect, 'target' | 'rendered'>,
): string {
  switch (destination) {
    case 'slack':
      return target.startsWith('person:') ? 'Slack, direct message' : `Slack channel ${target}`;
    case 'notion':
      return `Notion data source ${target}`;
    case 'email':
      return `mail to ${target}`;
    case 'http':
      return `POST ${target}`;
    case 'folder': {
      const order = rendered !== undefined && isBuiltInMessage(rendered) ? rendered : undefined;
      const message = order?.destination === 'folder' ? order.message : undefined;
      const isNamed = message !== undefined && message.name !== '';
      return `file ${isNamed ? `${message.folder}/${message.name}` : target}`;
    }
    default:
      // A destination of one's own that has one place.
      return target === destination ? destination : `${destination}, ${target}`;
  }
}

interface PreviewView extends Omit<RecipePreview, 'effects'> {
  readonly effects: readonly (Omit<PreviewedEffect, 'rendered'> & { readonly message?: unknown })[];
}

/** A preview for `--json`, with the payloads as they would be sent. Own addresses print as their host. */
export function viewPreview({ effects, ...recipe }: RecipePreview): PreviewView {
  return {
    ...recipe,
    effects: effects.map(({ rendered, target, ...effect }) => ({
      target,
      ...effect,
      ...(rendered === undefined ? {} : { message: rendered.message }),
    })),
  };
}

export function describeCut({ effects }: Pick<RecipePreview, 'effects'>): string {
  return `The preview shows only the first ${effects.length}; a worker sends all.`;
}

/** Whether a mail waits for approval before it is sent. */
export function isDraft({ rendered }: PreviewedEffect): boolean {
  if (rendered === undefined || !isBuiltInMessage(rendered)) return false;
  return rendered.destination === 'email' && rendered.message.needsApproval === true;
}
