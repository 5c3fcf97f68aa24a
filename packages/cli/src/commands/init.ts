import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { readErrorCode, WrongUse } from '../errors.ts';
import { formatJson } from '../terminal/format.ts';
import { quoteWord } from '../terminal/text.ts';
import { writeNewFile } from '../write-new-file.ts';

/** `aftermeet init`: writes the two files to begin with. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .summary('write aftermeet.yaml and .env.example, to begin with')
    .description(
      'Writes aftermeet.yaml, which says what is done with each meeting, and .env.example, which lists the variables for ' +
        'addresses and secrets. It overwrites nothing, and calls nothing.',
    )
    .argument('[folder]', 'where to; made if it does not exist', '.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  aftermeet init\n  aftermeet init my-meetings')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
      const files = [
        { path: join(folder, 'aftermeet.yaml'), text: writeSettings(timeZone) },
        { path: join(folder, '.env.example'), text: VARIABLES },
      ];
      await makeFolder(folder);
      // One file without the other helps with nothing.
      for (const { path } of files) await refuseExisting(path);
      for (const { path, text } of files) await writeNewFile(path, text);
      const written = files.map(({ path }) => path);
      if (json === true) {
        context.write(formatJson({ files: written }));
        return;
      }
      const enter = folder === '.' ? '' : `  cd ${quoteWord(folder)}\n`;
      context.write(
        `${written.map((path) => `Written: ${quoteWord(path)}\n`).join('')}\nNext, fill in .env, and see what is missing:\n` +
          `${enter}  cp -n .env.example .env\n  npx aftermeet doctor\n\nTo see it work first, without an account: npx aftermeet dev\n`,
      );
    });
}

function writeSettings(timeZone: string): string {
  return `# What Aftermeet does with each meeting. aftermeet recipes check explains it.

# Of the times in messages, where a recipe says nothing else.
timezone: ${timeZone}

# Without recipes each destination of .env gets its usual one: a recap in Slack, a page in Notion, a mail to those of us who
# took part. With recipes only those run; aftermeet recipes list shows what there is. For example:
#
#recipes:
#  recap: { use: slack-recap, when: { not: { title: '1:1*' } } }
#  sales: { use: slack-recap, when: { title: '*Acme*' }, with: { channel: C0123456789 } }
`;
}

const VARIABLES = `# Copy this file to .env, and fill in what you use: what is empty counts as not set. Keep .env out of Git.

# The service: its address, and the API key from the settings of your workspace.
SERVICE_BASE_URL=
SERVICE_API_KEY=

# Signs the deliveries of the service. To make one: openssl rand -hex 32
WEBHOOK_SECRET=

# The address of the receiver as the service reaches it, such as https://hooks.example.com. For record --endpoint and links in mails.
PUBLIC_URL=

# Slack: the bot token of your app (xoxb-…), and the id of a channel.
SLACK_BOT_TOKEN=
SLACK_CHANNEL=

# Notion: the token of your integration (ntn_…), and the id of a data source.
NOTION_TOKEN=
NOTION_DATA_SOURCE_ID=

# Mail: smtps://user:password@host, and who it is from.
SMTP_URL=
MAIL_FROM=

# Where deliveries are stored. Empty: in the folder .aftermeet, for one machine. Or redis://… or postgres://…
QUEUE_URL=
`;

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const code = readErrorCode(error) ?? 'unknown';
    throw new WrongUse(`The folder ${quoteWord(folder)} can't be made (${code}).\n`);
  }
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new WrongUse(`There is ${quoteWord(path)} already: it stays as it is.\n`);
}
