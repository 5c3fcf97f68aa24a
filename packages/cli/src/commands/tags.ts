import type { Tag } from '@aftermeet/client';
import { findNearestName } from '@aftermeet/contract';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { omitUndefined } from '../options.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { tellWarnings } from '../service/warnings.ts';
import { type Service, withService } from '../service/with-service.ts';
import { type Column, formatItems, formatJson, formatTable } from '../terminal/format.ts';
import { cleanLine, cutToWidth, pasteWord } from '../terminal/text.ts';

const MAX_SHOWN_CELLS = 60;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const columns: readonly Column<Tag>[] = [
  { title: 'NAME', read: ({ name }) => name, shrinks: true },
  { title: 'COLOUR', read: ({ color }) => color, leftOut: 1 },
  // Whole: the service knows a tag by its whole id only.
  { title: 'TAG', read: ({ id }) => id },
];

/** `aftermeet tags`: the workspace's tags, and tags of meetings. */
export function addTagsCommand(program: Command, context: CommandContext): void {
  const tags = program
    .command('tags')
    .summary('list and create tags, attach them to meetings')
    .description('Lists and creates the tags of the workspace, and attaches them to meetings.');
  addListCommand(tags, context);
  addCreateCommand(tags, context);
  addLinkCommand(tags, context, {
    verb: 'attach',
    description: 'Attaches a tag to a meeting. Repeating it changes nothing.',
    done: 'The meeting has the tag.',
  });
  addLinkCommand(tags, context, {
    verb: 'detach',
    description: 'Detaches a tag from a meeting. Repeating it changes nothing.',
    done: 'The meeting no longer has the tag.',
  });
}

function addListCommand(tags: Command, context: CommandContext): void {
  tags
    .command('list')
    .summary('list the tags')
    .description('Lists all tags of the workspace.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet tags list')
    .action(async ({ json }: { json?: boolean }) => {
      const { items: found, warnings } = await withService(context, { json }, ({ client, call }) =>
        client.tags.list(call),
      );
      tellWarnings(warnings, context);
      if (json === true) context.write(formatItems(found.map(withoutRaw), { total: found.length, warnings }));
      else if (found.length === 0) context.write('There are no tags: aftermeet tags create makes one.\n');
      else context.write(formatTable(found, columns, tableView(context)));
    });
}

function addCreateCommand(tags: Command, context: CommandContext): void {
  tags
    .command('create')
    .summary('create a tag')
    .description('Creates a tag and prints its id. Observed: a name has at most 24 characters and is unique.')
    .argument('<name>', 'name')
    .option('--color <color>', 'colour, such as blue, purple, orange, yellow, teal, green, red or grey')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet tags create Sales --color teal')
    .action(async (name: string, { color, json }: { color?: string; json?: boolean }) => {
      const input = { name, ...omitUndefined({ color }) };
      const tag = await withService(context, { json }, ({ client, call }) => client.tags.create(input, call));
      context.write(
        json === true
          ? formatJson(withoutRaw(tag))
          : `Tag ${cleanLine(tag.id)}\nAttach it to a meeting: aftermeet tags attach <meeting-id> ${pasteWord(tag.id)}\n`,
      );
    });
}

interface LinkCommand {
  readonly verb: 'attach' | 'detach';
  readonly description: string;
  readonly done: string;
}

function addLinkCommand(tags: Command, context: CommandContext, command: LinkCommand): void {
  const { verb, description, done } = command;
  tags
    .command(verb)
    .summary(verb === 'attach' ? 'attach a tag to a meeting' : 'detach a tag from a meeting')
    .description(description)
    .argument('<meeting-id>', MEETING_HELP)
    .argument('<tag>', 'tag: a name or id that aftermeet tags list shows')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  aftermeet tags ${verb} m_42 Sales`)
    .action(async (meetingId: string, given: string, { json }: { json?: boolean }) => {
      const { tagId, raw } = await withService(context, { json }, async ({ client, call }) => {
        const [found = given] = await resolveTags({ client, call }, [given]);
        const answer = await client.tags[verb]({ meetingId, tagId: found }, call);
        return { tagId: found, raw: answer.raw };
      });
      context.write(json === true ? formatJson({ meetingId, tagId, answer: raw }) : `${done}\n`);
    });
}

/**
 * The ids of tags that are given by id or by name. Loads the tags only if one of them is no UUID. An id takes
 * precedence over a name; throws `WrongUse` for a tag that does not exist.
 */
export async function resolveTags(
  { client, call }: Pick<Service, 'client' | 'call'>,
  given: readonly string[],
): Promise<string[]> {
  if (given.every((text) => uuid.test(text))) return [...given];
  const { items: tags } = await client.tags.list(call);
  return given.map((text) => (uuid.test(text) ? text : findTag(tags, text)));
}

function findTag(tags: readonly Tag[], text: string): string {
  if (tags.some(({ id }) => id === text)) return text;
  const named = tags.filter(({ name }) => foldCase(name) === foldCase(text));
  const [tag] = named.length > 1 ? named.filter(({ name }) => name === text) : named;
  if (tag !== undefined) return tag.id;
  const shown = JSON.stringify(cutToWidth(cleanLine(text), MAX_SHOWN_CELLS));
  throw new WrongUse(
    named.length > 1
      ? `Several tags are called ${shown}: give the id of one. aftermeet tags list shows them.\n`
      : `No tag has the id or the name ${shown}${suggestTag(tags, text)}: aftermeet tags list shows them.\n`,
  );
}

function suggestTag(tags: readonly Tag[], text: string): string {
  const nearest = findNearestName(
    text,
    tags.map(({ name }) => name),
  );
  return nearest === undefined ? '' : ` (did you mean ${cleanLine(nearest)}?)`;
}

/** Upper case first: then `ß` and `SS` are the same name. */
function foldCase(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

function withoutRaw({ raw: _raw, ...tag }: Tag): Omit<Tag, 'raw'> {
  return tag;
}
