import { ownAlertKinds } from '../alert-text.ts';
import { findPrebuiltRecipe } from '../prebuilt/list-prebuilt-recipes.ts';
import type { ConfiguredRecipe } from '../recipe.ts';
import { drawWorkflow, type N8nExport } from './draw-workflow.ts';
import type { N8nOptions } from './order.ts';

const ownKinds: readonly string[] = ownAlertKinds;

/**
 * Turns a recipe into a workflow of n8n's core nodes. Pure, and the same to the last character for the same recipe; it
 * holds no secret, whatever the recipe's options hold. Undefined where no workflow is known for the prebuilt recipe.
 */
export function toN8nWorkflow(configured: ConfiguredRecipe, options: N8nOptions = {}): N8nExport | undefined {
  const prebuilt = findPrebuiltRecipe(configured.use);
  if (prebuilt === undefined) return undefined;
  // Nobody sends n8n the events of a worker.
  const events = prebuilt.events.filter((kind) => !ownKinds.includes(kind));
  const { description, transcript, reads } = prebuilt;
  return drawWorkflow(configured, { description, transcript, events, reads }, options);
}
