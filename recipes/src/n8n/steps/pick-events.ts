import { ownAlertKinds } from '../../alert-text.ts';
import { joinValues, listValues } from '../../routing/list-values.ts';
import { readWhen, wantsEmpty } from '../conditions.ts';
import { globPattern, wordPattern } from '../glob-pattern.ts';
import type { Order } from '../order.ts';
import { allOf, fits, isTrue } from '../parameters.ts';

const ownKinds: readonly string[] = ownAlertKinds;

/** Lets through what the recipe wants, as far as the event tells, and each occurrence once. */
export function pickEvents(order: Order): void {
  const { canvas, prebuilt, notes } = order;
  const when = readWhen(order);
  const kinds = listValues(when.event ?? prebuilt.events);
  const wanted = String(wantsEmpty(when.isTranscriptEmpty, prebuilt.transcript));
  // Only a completed meeting has a transcript that can be empty; a condition of one's own holds for every kind.
  const other = when.isTranscriptEmpty === undefined ? "$json.event !== 'meeting.completed' || " : '';
  const transcript = `${other}$json.is_transcript_empty === ${wanted}`;
  const titlePattern = (title: string | readonly string[]): RegExp => {
    const pattern = globPattern(listValues(title));
    // A title that the event does not hold is left to the report.
    return prebuilt.reads === 'report' ? new RegExp(`^$|${pattern.source}`, pattern.flags) : pattern;
  };
  canvas.add({
    name: 'Is it for this recipe?',
    kind: 'filter',
    parameters: allOf(
      fits('event', '$json.event', wordPattern(kinds)),
      ...(when.title === undefined ? [] : [fits('title', '$json.title', titlePattern(when.title))]),
      isTrue('transcript', transcript),
    ),
  });
  canvas.add({
    name: 'Not seen before',
    kind: 'removeDuplicates',
    // Its memory is bounded, and a full one is an error: then a double is better than silence.
    goesOnAfterError: true,
    parameters: {
      operation: 'removeItemsSeenInPreviousExecutions',
      logic: 'removeItemsWithAlreadySeenKeyValues',
      dedupeValue: '={{ $json.key }}',
      options: { scope: 'node', historySize: 10_000 },
    },
  });
  const own = kinds.filter((kind) => ownKinds.includes(kind));
  if (own.length > 0) {
    notes.push(
      `Nobody sends n8n the events of a worker: of ${joinValues(own)} it is never told. Set an error workflow for what goes wrong in n8n itself.`,
    );
  }
  if (when.endpoint !== undefined) {
    notes.push(
      `The recipe is for the endpoint ${joinValues(listValues(when.endpoint))}. In n8n the address of the webhook is the endpoint: ` +
        'give it to those meetings alone.',
    );
  }
}
