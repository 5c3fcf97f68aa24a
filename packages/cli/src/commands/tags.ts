import type { Tag } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { pasteWord } from '../quote-word.ts';
import { resolveTags } from '../service/resolve-tags.ts';
import { withService } from '../service/with-service.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';

interface TagLinkCommand {
  readonly verb: 'attach' | 'detach';
  readonly summary: string;
  readonly done: string;
}

const columns: readonly Column<Tag>[] = [
  { title: 'TAG', read: ({ id }) => id },
  { title: 'NAME', read: ({ name }) => name, shrinks: true },
  { title: 'COLOUR', read: ({ color }) => color },
];

/** `aftermeet tags`: the tag catalog, and tags on meetings. */
export function addTagsCommand(program: Command, context: Context): void {
  const tags = program
    .command('tags')
    .summary('list and create tags, put them on meetings')
    .description('Lists and creates the tags of the workspace, and puts them on meetings.');
  addListCommand(tags, context);
  addCreateCommand(tags, context);
  addLinkCommand(tags, context, {
    verb: 'attach',
    summary: 'put a tag on a meeting',
    done: 'The meeting has the tag.',
  });
  addLinkCommand(tags, context, {
    verb: 'detach',
    summary: 'take a tag off a meeting',
    done: 'The meeting no longer has the tag.',
  });
}

function addListCommand(tags: Command, context: Context): void {
  tags
    .command('list')
    .summary('list the tags')
    .description('Lists all tags of the workspace.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet tags list')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await withService(context, { json }, ({ client, call }) => client.tags.list(call));
      if (json === true) context.write(formatJson(found.map(withoutRaw)));
      else if (found.length === 0) context.write('There are no tags: aftermeet tags create makes one.\n');
      else context.write(formatTable(found, columns, readTableWidth(context)));
    });
}

function addCreateCommand(tags: Command, context: Context): void {
  tags
    .command('create')
    .summary('create a tag')
    .description('Creates a tag and prints its id. Observed: a name has at most 24 characters and is unique.')
    .argument('<name>', 'the name')
    .option('--color <color>', 'colour, such as blue, purple, orange, yellow, teal, green, red or grey')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet tags create Sales --color teal')
    .action(async (name: string, { color, json }: { color?: string; json?: boolean }) => {
      const input = { name, ...dropAbsent({ color }) };
      const tag = await withService(context, { json }, ({ client, call }) => client.tags.create(input, call));
      context.write(
        json === true
          ? formatJson(withoutRaw(tag))
          : `Tag ${cleanLine(tag.id)}\nPut it on a meeting: aftermeet tags attach <meeting-id> ${pasteWord(tag.id)}\n`,
      );
    });
}

function addLinkCommand(tags: Command, context: Context, { verb, summary, done }: TagLinkCommand): void {
  tags
    .command(verb)
    .summary(summary)
    .description(
      `${summary[0]?.toUpperCase()}${summary.slice(1)}. Doing it twice is the same as doing it once.`,
    )
    .argument('<meeting-id>', 'the meeting')
    .argument('<tag>', 'the tag: a name or id that aftermeet tags list shows')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  aftermeet tags ${verb} m_42 Sales`)
    .action(async (meetingId: string, given: string, { json }: { json?: boolean }) => {
      const { tagId, raw } = await withService(context, { json }, async ({ client, call }) => {
        const [found = given] = await resolveTags({ client, call }, [given]);
        const answer = await client.tags[verb]({ meeting_id: meetingId, tag_id: found }, call);
        return { tagId: found, raw: answer.raw };
      });
      context.write(json === true ? formatJson({ meetingId, tagId, answer: raw }) : `${done}\n`);
    });
}

function withoutRaw({ raw: _raw, ...tag }: Tag): Omit<Tag, 'raw'> {
  return tag;
}
