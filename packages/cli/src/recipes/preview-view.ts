import { type PreviewedEffect, type RecipePreview, spreadTarget } from '@aftermeet/recipes';

/** Where an effect goes, in words for people. */
export function describeTarget(
  effect: PreviewedEffect,
  { destination }: Pick<RecipePreview, 'destination'>,
): string {
  const { part, target } = effect;
  if (target === spreadTarget) return destination;
  const behind = part === 0 ? '' : destination === 'slack' ? `, in the thread (${part})` : `, part ${part}`;
  return `${nameTarget(destination, effect)}${behind}`;
}

function nameTarget(
  destination: RecipePreview['destination'],
  { target, rendered }: PreviewedEffect,
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
      const { folder, name } =
        rendered?.destination === 'folder' ? rendered.message : { folder: '', name: '' };
      return `file ${name === '' ? target : `${folder}/${name}`}`;
    }
    case 'service':
    default:
      return 'the service';
  }
}

interface PreviewView extends Omit<RecipePreview, 'effects'> {
  readonly effects: readonly (Omit<PreviewedEffect, 'rendered'> & { readonly message?: object })[];
}

/** A preview for `--json`: the payloads as they are; addresses of somebody's own write themselves as their host. */
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

/** That there is more than the preview shows. */
export function describeCut({ effects }: Pick<RecipePreview, 'effects'>): string {
  return `There is more: the preview shows the first ${effects.length} alone, and a worker sends all.`;
}

/** Whether a mail waits for somebody's approval before it is sent. */
export function isDraft({ rendered }: PreviewedEffect): boolean {
  return rendered?.destination === 'email' && rendered.message.isDraft === true;
}
