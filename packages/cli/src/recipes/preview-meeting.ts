import type { Report } from '@aftermeet/client';
import type { RecipePreview } from '@aftermeet/recipes';

import { notReady } from '../commands/report.ts';
import type { CommandContext } from '../context.ts';
import { wrongSettings, WrongUse } from '../errors.ts';
import { findMeetingEndpoint, type MeetingEndpoint } from '../operate/meeting-endpoint.ts';
import { withService } from '../service/with-service.ts';
import type { Settings } from '../settings/settings.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';

/** The kinds of events that the service sends. */
type EventKind = 'meeting.completed' | 'meeting.failed';

/** What to judge a meeting by. */
export interface MeetingChoice {
  /** Names of recipes; absent: all. */
  readonly recipe?: readonly string[];
  /** Absent: as the report says. */
  readonly event?: EventKind;
  /** Absent: the endpoint where the meeting arrived. */
  readonly endpoint?: string;
  readonly json?: boolean;
}

interface MeetingPreview {
  readonly title: string;
  readonly eventKind: EventKind;
  readonly arrival: MeetingEndpoint;
  readonly previews: readonly RecipePreview[];
  /** Names in the report of people who cannot be reached. */
  readonly unknownPeople: readonly string[];
}

/** What each recipe would do for a past meeting, judged at the endpoint where it arrived. Nothing is sent. */
export async function previewMeeting(
  context: CommandContext,
  meetingId: string,
  choice: MeetingChoice,
): Promise<MeetingPreview> {
  const { loadSettings } = await import('../settings/load.ts');
  const { createPeopleDirectory, listUnknown, previewRecipes } = await import('@aftermeet/recipes');
  const settings = await loadSettings(context.environment, context.configPath());
  const only = await chooseRecipes(settings, choice.recipe);
  await checkEndpoint(settings, choice.endpoint);
  const { report, eventKind } = await fetchReport(context, meetingId, choice);
  const arrival =
    choice.endpoint === undefined
      ? await findMeetingEndpoint(context, settings, meetingId)
      : { endpoint: choice.endpoint, how: `Judged at the endpoint ${choice.endpoint}.` };
  const previews = await previewRecipes({
    recipes: settings.recipes,
    only,
    destinations: settings.destinations,
    endpointRecipes: settings.endpointRecipes,
    endpoints: [...settings.endpoints.byName.keys()],
    meetingId,
    eventKind,
    nowMs: (context.clock ?? Date.now)(),
    report,
    endpoint: arrival.endpoint,
  });
  const directory = createPeopleDirectory(settings.destinations.people);
  const unknownPeople = report === undefined ? [] : listUnknown(report, directory);
  const title = cleanLine(report?.title ?? '') || meetingId;
  return { title, eventKind, arrival, previews, unknownPeople };
}

export function describeArrival({ endpoint, how }: MeetingEndpoint): string {
  return endpoint === undefined ? `${how} Each recipe is judged at an endpoint that runs it.` : how;
}

/** Who is not reached, and how they can be; empty: everybody is. */
export function describeUnknown(names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_SHOWN).map(cleanLine).join(', ');
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return (
    `Not known: ${shown}${more}. The report has no address of them, so they get no mail, no direct message and no ` +
    'mention. Name them under people in aftermeet.yaml.\n\n'
  );
}

const MAX_SHOWN = 10;

/** The names of the recipes to show. All must be right: what one takes can depend on the others. */
async function chooseRecipes(settings: Settings, names: readonly string[] = []): Promise<readonly string[]> {
  const { recipeProblems } = await import('../settings/load.ts');
  const { recipes } = settings;
  const known = recipes.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) throw await unknownRecipe(missing, known);
  const problems = recipeProblems(settings);
  if (problems.length > 0) throw wrongSettings(problems);
  return names.length === 0 ? known : names;
}

/** The error for a name that no recipe of the settings has. */
export async function unknownRecipe(name: string, known: readonly string[]): Promise<WrongUse> {
  const { suggestName } = await import('@aftermeet/contract');
  const expected = known.length === 0 ? 'there are no recipes' : suggestName(name, known);
  return new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(name))}: ${expected}\n`);
}

async function checkEndpoint(
  { endpoints: { byName } }: Settings,
  endpoint: string | undefined,
): Promise<void> {
  if (endpoint === undefined || byName.has(endpoint) || byName.size === 0) return;
  const { suggestName } = await import('@aftermeet/contract');
  const expected = suggestName(endpoint, [...byName.keys()]);
  throw new WrongUse(`There is no endpoint ${JSON.stringify(cleanLine(endpoint))}: ${expected}\n`);
}

/** The report, and the event that it tells of. A failed meeting has no report. */
async function fetchReport(
  context: CommandContext,
  meetingId: string,
  { event, json }: MeetingChoice,
): Promise<{ readonly report?: Report; readonly eventKind: EventKind }> {
  const answer = await withService(context, { json, meetingId }, ({ client, call }) =>
    client.reports.get(meetingId, call),
  );
  if (answer.ready) return { report: answer.report, eventKind: event ?? 'meeting.completed' };
  const eventKind = event ?? (answer.status === 'failed' ? 'meeting.failed' : undefined);
  if (eventKind === 'meeting.failed') return { eventKind };
  throw notReady(
    answer,
    `aftermeet report get ${pasteWord(meetingId)} --wait. To judge it as a failed meeting: aftermeet recipes preview ` +
      `${pasteWord(meetingId)} --event meeting.failed.`,
  );
}
