import { findEffect, traceEffect } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { formatFacts } from '../terminal/format-facts.ts';
import { formatJson } from '../terminal/format-json.ts';
import { formatIso } from './delivery-view.ts';
import { viewEffect, viewJob } from './effect-view.ts';
import { effectKind, requireFound } from './find-named.ts';
import { type OperatorOptions, withOperator } from './with-operator.ts';

/** What `aftermeet effects show` does. */
export async function showEffect(context: Context, name: string, options: OperatorOptions): Promise<void> {
  const { entry, job } = await withOperator(context, options, async (operator) =>
    traceEffect(requireFound(name, await findEffect(name, operator), effectKind), operator),
  );
  const effect = viewEffect(entry);
  const kept = viewJob(job);
  if (options.json === true) {
    context.write(formatJson({ ...effect, job: kept }));
    return;
  }
  context.write(
    formatFacts({
      effect: entry.effectKey,
      state: entry.state,
      cause: entry.cause,
      reference: entry.reference,
      recipe: entry.recipe,
      destination: entry.destination,
      part: entry.part,
      event: entry.eventKind,
      meeting: entry.meetingId,
      occurred: entry.occurrence,
      received: effect.receivedAt,
      'first tried': effect.firstIntentAt,
      changed: formatIso(entry.changedAtMs),
      attempts: entry.attempts,
      probes: entry.probes,
      trace: entry.traceId,
      job: kept === undefined ? 'not kept any more' : describeJob(kept),
    }),
  );
}

function describeJob({ state, dueAt, startedTimes, cause }: NonNullable<ReturnType<typeof viewJob>>): string {
  const due = dueAt === undefined ? '' : ` until ${dueAt}`;
  const starts = startedTimes === 1 ? 'started once' : `started ${startedTimes} times`;
  return `${state}${due}, ${starts}${cause === undefined ? '' : `: ${cause}`}`;
}
