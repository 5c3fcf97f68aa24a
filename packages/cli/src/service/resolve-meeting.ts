import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, Failure } from '../errors.ts';
import { withOperator } from '../operate/operator.ts';
import { isElsewhere } from '../operate/remote.ts';
import { explainShortId, searchShortId, type ShortId } from './meeting-id.ts';
import { withService } from './with-service.ts';

/** Commands that look at a store, whose meetings the service may not have any more. */
const storeCommands: ReadonlySet<string> = new Set(['deliveries', 'effects', 'suppress', 'forget']);

/** Replaces the beginning of a meeting's id by the whole id, before the command runs. A whole id costs no request. */
export async function resolveMeetings(
  shortIds: readonly ShortId[],
  group: string,
  context: CommandContext,
  json: boolean,
): Promise<void> {
  // What the console of a receiver elsewhere shows is not in the store here.
  const isStored = group === 'open' ? !isElsewhere(context.environment) : storeCommands.has(group);
  const resolve = (given: string): Promise<string> =>
    isStored ? findStored(given, context) : findAtService(given, context, json);
  for (const { given, replace } of shortIds) replace(await resolve(given));
}

async function findAtService(given: string, context: CommandContext, json: boolean): Promise<string> {
  const { ids, searched } = await withService(context, { json }, ({ client, call }) =>
    searchShortId(given, (input) => client.meetings.search(input, call)),
  );
  return requireOne(given, ids, `the newest ${searched} of the service`);
}

async function findStored(given: string, context: CommandContext): Promise<string> {
  const { findMeetingById } = await import('@aftermeet/recipes');
  const found = await withOperator(context, ({ journal }) => findMeetingById(given, journal), {
    result: { kind: 'none' },
  });
  const ids = found.kind === 'found' ? [found.value] : found.kind === 'several' ? found.ids : [];
  return requireOne(given, ids, 'those that recipes worked on in the last 90 days');
}

function requireOne(given: string, ids: readonly string[], place: string): string {
  // A whole id may be the beginning of another one.
  if (ids.includes(given)) return given;
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new Failure({ exitCode: EXIT_FAILED, code: 'not_found', ...explainShortId(given, ids, place) });
}
