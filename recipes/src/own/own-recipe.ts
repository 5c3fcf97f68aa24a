import { z } from 'zod';

import { judgeAddresses } from '../destinations/own-people.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { Destination } from '../engine/destination.ts';
import { checkOptions, describeOptions } from '../engine/recipe-options.ts';
import type { MeetingEvent, PrebuiltRecipe, RunInput } from '../engine/recipe.ts';
import { expandTarget } from '../engine/recipe.ts';
import type { Digest } from '../report/digest.ts';
import { createPeopleDirectory, type PeopleDirectory } from '../report/people-directory.ts';
import { describeError, locateFailure, TooSlow, withinTime } from './call-own-code.ts';
import type { OwnRecipe, RecipeEvent } from './define-recipe.ts';
import { makeEmptyReport, type MeetingReport, toMeetingReport } from './meeting-report.ts';
import { isObjectSchema, readExport } from './read-export.ts';
import { renderEffects } from './render-effect.ts';

/** The queue of the effects that call a recipe and send nothing themselves. */
const OWN_DESTINATION = 'recipe';

/** A recipe that takes longer fails its effect. */
const MAX_RUN_MS = 30_000;

const kinds = ['meeting.completed', 'meeting.failed'] as const;

/** Schemas are asked, not compared: a module may bring a zod of its own. */
const ownRecipeSchema = z.looseObject({
  name: z.string({ error: 'a name' }).min(1, { error: 'a name' }),
  description: z.string({ error: 'one line of text' }),
  on: z.array(z.enum(kinds, { error: kinds.join(' or ') }), { error: 'a list of events' }).min(1, {
    error: 'at least one event',
  }),
  options: z
    .custom<z.ZodObject>(isObjectSchema, { error: 'a z.object({ … }) or z.strictObject({ … })' })
    .optional(),
  transcript: z.boolean({ error: 'true or false' }).optional(),
  run: z.custom<OwnRecipe['run']>((value) => typeof value === 'function', { error: 'a function' }),
});

type CheckedRecipe = z.output<typeof ownRecipeSchema>;

/** The default export of a module as a recipe, or what is wrong with it. `place` is its file or package, for people. */
export function readOwnRecipe(
  exported: unknown,
  place: string,
):
  | { readonly ok: true; readonly name: string; readonly recipe: PrebuiltRecipe }
  | { readonly ok: false; readonly found: string; readonly expected: string } {
  const read = readExport(ownRecipeSchema, exported, place, 'recipe');
  if (!read.ok) return read;
  return { ok: true, name: read.value.name, recipe: toRecipe(read.value, place) };
}

function toRecipe(own: CheckedRecipe, place: string): PrebuiltRecipe {
  const options = own.options ?? z.strictObject({});
  return {
    id: place,
    description: own.description,
    destination: OWN_DESTINATION,
    sendsAnywhere: true,
    events: own.on,
    transcript: 'present',
    reads: 'report',
    about: 'meeting',
    options: describeOptions(options),
    check: (values) => checkOptions(options, values),
    bind: (values, destinations: Destinations) => {
      const tools = {
        options: options.parse(values),
        place,
        isExternalAddress: judgeAddresses(destinations),
        people: createPeopleDirectory(destinations.people),
        own: (destinations.own ?? []).map(({ destination }) => destination),
      };
      return { plan: () => [{ target: expandTarget, part: 0 }], input: bindRun(own, tools) };
    },
  };
}

interface RunTools {
  readonly options: Readonly<Record<string, unknown>>;
  readonly place: string;
  readonly isExternalAddress: (address: string) => boolean;
  readonly people: PeopleDirectory;
  /** Destinations of the installation's own. */
  readonly own: readonly Destination[];
}

/** Runs once for all effects of an event. */
function bindRun(own: CheckedRecipe, tools: RunTools): RunInput {
  const made = new WeakMap<Digest, ReturnType<RunInput['run']>>();
  return {
    from: 'run',
    needsTranscript: own.transcript === true,
    run: async (event, digest) => {
      if (digest === undefined)
        return await run(own, event, makeEmptyReport(event.meetingId, event.title), tools);
      const known =
        made.get(digest) ?? run(own, event, toMeetingReport(digest, tools.isExternalAddress), tools);
      made.set(digest, known);
      return await known;
    },
  };
}

async function run(
  own: CheckedRecipe,
  event: MeetingEvent,
  report: MeetingReport,
  { options, place, isExternalAddress, people, own: destinations }: RunTools,
): ReturnType<RunInput['run']> {
  try {
    const happened = toRecipeEvent(event);
    const returned: unknown = await withinTime(
      (signal) => own.run({ event: happened, report, options, people, signal }),
      MAX_RUN_MS,
    );
    const { meetingId } = event;
    const rendered = renderEffects(returned, {
      meetingId,
      recipe: own.name,
      isExternalAddress,
      destinations,
    });
    if (rendered.ok) return rendered;
    const { path, expected } = rendered.problem;
    const where = path === '' ? 'what it returned' : `${path} of what it returned`;
    return { ok: false, cause: `${place}: ${where} is not right; expected ${expected}` };
  } catch (error) {
    return { ok: false, cause: describeFailure(error, place) };
  }
}

function toRecipeEvent({ kind, meetingId, occurrence, endpoint, reason }: MeetingEvent): RecipeEvent {
  return { kind, meetingId, occurredAt: occurrence, endpoint, ...(reason === undefined ? {} : { reason }) };
}

/** Where it failed: file and line, without what the error says where that may be content of the report. */
function describeFailure(error: unknown, place: string): string {
  if (error instanceof TooSlow) return `${place}: the recipe took longer than ${MAX_RUN_MS / 1000} seconds`;
  return `${locateFailure(error, place)}: the recipe failed (${describeError(error)})`;
}
