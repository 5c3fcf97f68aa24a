import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import type { DraftOptions } from '../drafts/draft-box.ts';
import type { DraftWordOptions, SettleDraftsOptions } from '../drafts/settle-drafts.ts';

type ReadConfig = () => { config?: string };
type Finish = (code: number) => void;

/** `aftermeet drafts`: mail that waits for somebody to approve it. */
export function addDraftsCommand(program: Command, context: Context, finish: Finish): void {
  const drafts = program
    .command('drafts')
    .summary('mail to people outside that waits for your approval')
    .description(
      'Mail to people outside is kept in the outbox until somebody approves it, unless a recipe says otherwise. ' +
        'A draft is named by its key, or by the first characters of that.',
    );
  const readConfig = () => program.opts<{ config?: string }>();
  addList(drafts, context, readConfig);
  addShow(drafts, context, readConfig);
  addSend(drafts, context, readConfig, finish);
  addDiscard(drafts, context, readConfig, finish);
  addSettle(drafts, context, readConfig, finish);
}

function addList(drafts: Command, context: Context, readConfig: ReadConfig): void {
  drafts
    .command('list')
    .summary('list the drafts, the oldest first')
    .description('Lists the drafts of the outbox (mail.outbox of aftermeet.yaml), the oldest first.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet drafts list')
    .action(async (options: DraftOptions) => {
      const { listMailDrafts } = await import('../drafts/list-drafts.ts');
      await listMailDrafts(context, { ...options, ...readConfig() });
    });
}

function addShow(drafts: Command, context: Context, readConfig: ReadConfig): void {
  drafts
    .command('show')
    .summary('show a draft as its reader would get it')
    .description('Shows to whom a draft goes, what it says and which file it is: mail programs open it.')
    .argument('<draft>', 'the draft, as aftermeet drafts list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet drafts show 62d25587d909')
    .action(async (name: string, options: DraftOptions) => {
      const { showDraft } = await import('../drafts/show-draft.ts');
      await showDraft(context, name, { ...options, ...readConfig() });
    });
}

function addSend(drafts: Command, context: Context, readConfig: ReadConfig, finish: Finish): void {
  drafts
    .command('send')
    .summary('approve drafts: they are sent at once')
    .description(
      'Sends drafts as they stand. What surely was not sent waits again. Of what was cut off nobody knows whether it ' +
        'arrived: --again sends it once more, under the same Message-ID; aftermeet drafts settle says what became of it. The exit code is 1 when one was not sent.',
    )
    .argument('[draft...]', 'the drafts, as aftermeet drafts list shows them')
    .option('--all', 'instead: all that wait')
    .option('--again', 'also those of which an earlier approval was cut off')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet drafts send 62d25587d909\n  aftermeet drafts send --all --json',
    )
    .action(async (names: string[], options: SettleDraftsOptions) => {
      const { sendDrafts } = await import('../drafts/settle-drafts.ts');
      await sendDrafts(context, names, { ...options, ...readConfig() }, finish);
    });
}

function addDiscard(drafts: Command, context: Context, readConfig: ReadConfig, finish: Finish): void {
  drafts
    .command('discard')
    .summary('take drafts away without sending them')
    .description('Takes drafts away. The exit code is 1 when one was approved already.')
    .argument('[draft...]', 'the drafts, as aftermeet drafts list shows them')
    .option('--all', 'instead: all that wait')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet drafts discard 62d25587d909')
    .action(async (names: string[], options: SettleDraftsOptions) => {
      const { discardDrafts } = await import('../drafts/settle-drafts.ts');
      await discardDrafts(context, names, { ...options, ...readConfig() }, finish);
    });
}

function addSettle(drafts: Command, context: Context, readConfig: ReadConfig, finish: Finish): void {
  drafts
    .command('settle')
    .summary('say whether drafts were sent')
    .description(
      'Takes your word for whether drafts were sent whose sending was cut off (may be sent): ask their readers, or ' +
        'look at the mail server, first. With --not-sent they wait again. The exit code is 1 when one is not settled: ' +
        'what somebody may be sending is left to them.',
    )
    .argument('<draft...>', 'the drafts, as aftermeet drafts list shows them')
    .addOption(new Option('--sent', 'they arrived').conflicts('notSent'))
    .addOption(new Option('--not-sent', 'they did not arrive: they wait again'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet drafts settle 62d25587d909 --not-sent')
    .action(async (names: string[], options: DraftWordOptions) => {
      const { settleDrafts } = await import('../drafts/settle-drafts.ts');
      await settleDrafts(context, names, { ...options, ...readConfig() }, finish);
    });
}
