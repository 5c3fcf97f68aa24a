import type { Command } from 'commander';

import { cleanLine } from '../terminal/text.ts';

/** The form of a whole id; the service draws UUIDs. */
const UUID_FORM = '00000000-0000-0000-0000-000000000000';

/** As many characters as tables show of an id. */
const MIN_LENGTH = 8;

/** A search looks at so many of the newest meetings. */
const MAX_SEARCHED = 500;
const PER_PAGE = 50;

/** The arguments and options of commands that name a meeting. */
const MEETING_VALUE = 'meeting-id';

/** What the help says of such an argument. */
export const MEETING_HELP = 'meeting: its id, or at least the first 8 characters';

/** Whether a text is the beginning of a UUID. Any other text is a whole id: the service may have ids of another form. */
function isShortId(text: string): boolean {
  if (text.length < MIN_LENGTH || text.length >= UUID_FORM.length) return false;
  return text.replaceAll(/[\da-f]/gi, '0') === UUID_FORM.slice(0, text.length);
}

/** The places of a command line that name a meeting by the beginning of its id. */
export interface ShortId {
  readonly given: string;
  readonly replace: (id: string) => void;
}

/** The beginnings of ids that a command line names meetings by, and how each is replaced by the whole id. */
export function listShortIds(command: Command): readonly ShortId[] {
  const args: readonly unknown[] = command.processedArgs;
  return [
    ...command.registeredArguments.map((argument, index) => ({
      isMeeting: argument.name() === MEETING_VALUE,
      given: args[index],
      replace: (id: string): void => {
        command.processedArgs[index] = id;
      },
    })),
    ...command.options.map((option) => ({
      isMeeting: option.flags.endsWith(`<${MEETING_VALUE}>`),
      given: command.getOptionValue(option.attributeName()) as unknown,
      replace: (id: string): void => void command.setOptionValue(option.attributeName(), id),
    })),
  ].flatMap(({ isMeeting, given, replace }) =>
    isMeeting && typeof given === 'string' && isShortId(given) ? [{ given, replace }] : [],
  );
}

/** Whether tables may show the beginning of an id, because commands know it by that. */
export function canBeShort(id: string): boolean {
  return id.length === UUID_FORM.length && isShortId(id.slice(0, -1));
}

/** The meetings that a beginning of an id fits, and how many of the newest were looked at. */
interface FoundIds {
  readonly ids: readonly string[];
  readonly searched: number;
}

/** Looks for a beginning of an id among the newest meetings of a search. */
export async function searchShortId(
  given: string,
  search: (input: {
    readonly perPage: number;
  }) => AsyncIterable<{ readonly items: readonly { readonly id: string }[] }>,
): Promise<FoundIds> {
  const wanted = given.toLowerCase();
  const ids = new Set<string>();
  let searched = 0;
  for await (const { items } of search({ perPage: PER_PAGE })) {
    for (const { id } of items) if (id.toLowerCase().startsWith(wanted)) ids.add(id);
    searched += items.length;
    if (searched >= MAX_SEARCHED) break;
  }
  return { ids: [...ids], searched };
}

/** Why a beginning of an id names no meeting; `place` says where it was looked for. */
export function explainShortId(
  given: string,
  ids: readonly string[],
  place: string,
): { readonly message: string; readonly advice: string } {
  const shown = JSON.stringify(cleanLine(given));
  if (ids.length === 0) {
    return {
      message: `No meeting has an id that begins with ${shown}, among ${place}.`,
      advice: 'Give the whole id: aftermeet search --json and aftermeet meetings list --json show whole ids.',
    };
  }
  return {
    message: `${shown} is the start of several ids: ${ids.slice(0, 5).map(cleanLine).join(', ')}.`,
    advice: 'Give more characters of the id.',
  };
}
