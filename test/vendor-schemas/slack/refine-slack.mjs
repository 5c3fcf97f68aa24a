import { addCommentLimits } from './comment-limits.mjs';
import { markUnions } from './mark-unions.mjs';
import { mergeVariants } from './merge-variants.mjs';
import { addPageLimits } from './page-limits.mjs';

/**
 * Makes what the types say strict enough for a server: one object for the arguments of a method, limits that only the
 * comments and the documentation tell, and unions that are told apart by `type`. Changes the definitions it is given.
 */
export function refineSlack(definitions) {
  for (const name of Object.keys(definitions).filter((key) => key.endsWith('Arguments')))
    definitions[name] = mergeVariants(definitions[name], definitions);
  // Blocks are checked one by one, each by the definition of its kind.
  definitions.MessageAttachment.properties.blocks = { type: 'array' };
  // The types let any object pass as a task.
  definitions.PlanBlock.properties.tasks.items = { $ref: '#/definitions/TaskCardBlock' };
  addCommentLimits(definitions);
  addPageLimits(definitions);
  markUnions(definitions);
  return keepReachable(definitions, (name) =>
    /^(KnownBlock|MessageAttachment|MessageMetadata|.*Arguments)$/.test(name),
  );
}

/** Only what a root needs. */
function keepReachable(definitions, isRoot) {
  const kept = new Set();
  const visit = (name) => {
    if (kept.has(name)) return;
    kept.add(name);
    for (const [, next] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([^"]+)"/g))
      visit(next);
  };
  Object.keys(definitions).filter(isRoot).forEach(visit);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => kept.has(name)));
}
