import type { ConfiguredRecipe } from '../recipe.ts';
import { createCanvas } from './canvas.ts';
import { drawArchiveExport } from './flows/archive-export.ts';
import { drawEmailAlert } from './flows/email-alert.ts';
import { drawEmailDigest } from './flows/email-digest.ts';
import { drawEmailFollowUp } from './flows/email-follow-up.ts';
import { drawHttpForward } from './flows/http-forward.ts';
import { drawNotion } from './flows/notion.ts';
import { drawRegenerate } from './flows/regenerate.ts';
import { drawSlackAlert } from './flows/slack-alert.ts';
import { drawSlackRecap } from './flows/slack-recap.ts';
import { drawSlackTasks } from './flows/slack-tasks.ts';
import { type N8nOptions, type Order, type RecipeFacts, takeOrder } from './order.ts';
import type { N8nWorkflow } from './workflow.ts';
import { writeNote } from './write-note.ts';

/** Draws the workflow of a prebuilt recipe; answers the time zone where its clock needs one. */
type Draw = (order: Order) => string | void;

/** By the id of the prebuilt recipe. */
const flows: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['slack-recap', drawSlackRecap],
  ['slack-tasks', drawSlackTasks],
  ['slack-alert', drawSlackAlert],
  ['notion-page', (order) => drawNotion(order, false)],
  ['notion-tasks', (order) => drawNotion(order, true)],
  ['email-follow-up', drawEmailFollowUp],
  ['email-digest', drawEmailDigest],
  ['email-alert', drawEmailAlert],
  ['http-forward', drawHttpForward],
  ['archive-export', drawArchiveExport],
  ['regenerate', drawRegenerate],
]);

/** A workflow, and in whole sentences what it cannot do that the recipe does. */
export interface N8nExport {
  readonly workflow: N8nWorkflow;
  readonly notes: readonly string[];
}

/** Draws the workflow of a recipe whose prebuilt one is known; undefined where no flow is. */
export function drawWorkflow(
  configured: ConfiguredRecipe,
  prebuilt: RecipeFacts,
  options: N8nOptions,
): N8nExport | undefined {
  const draw = flows.get(configured.use);
  if (draw === undefined) return undefined;
  const canvas = createCanvas(`Aftermeet: ${configured.name}`, `aftermeet/${configured.name}`);
  const order = takeOrder(configured, prebuilt, options, canvas);
  const timezone = draw(order);
  const leftOut = order.leftOut();
  if (leftOut.length > 0)
    order.notes.push(`These options of the recipe are left out: ${leftOut.join(', ')}.`);
  const { text, notes } = writeNote(canvas.finish(), prebuilt.description, order.notes);
  canvas.note(text);
  return { workflow: canvas.finish(typeof timezone === 'string' ? { timezone } : {}), notes };
}
