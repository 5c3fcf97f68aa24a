import type { LedgerEntry, RecallOutcome } from '@aftermeet/recipes';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, WrongUse } from '../errors.ts';
import {
  COMMAND_LINE,
  type NamedKind,
  type Operator,
  requireFound,
  shortenId,
  withOperator,
} from '../operate/operator.ts';
import { describeRecall } from '../operate/outcome-words.ts';
import { formatItems } from '../terminal/format.ts';

interface RecallOptions {
  readonly meeting?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `aftermeet effects recall`: takes back what was sent. */
export function addRecallCommand(effects: Command, context: CommandContext, kind: NamedKind): void {
  effects
    .command('recall')
    .summary('take back what was sent')
    .description(
      'Deletes what effects sent: a message in Slack with the replies that belong to it, a page or row in Notion (it goes ' +
        'to the trash), an archived file. A mail or a request cannot be taken back. Nothing sends it again by itself; ' +
        'aftermeet effects resend does. With --meeting and without --yes it only lists. The exit code is 1 if something stays.',
    )
    .argument('[effect-key...]', 'effects, as aftermeet effects list --state sent shows them')
    .option('--meeting <meeting-id>', 'instead: everything that was sent about this meeting')
    .option('--yes', 'with --meeting: take it back; without it nothing is changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet effects recall 62d25587d909\n  aftermeet effects recall --meeting m_42 --yes',
    )
    .action(async (names: string[], { meeting, yes = false, json = false }: RecallOptions) => {
      if (names.length > 0 === (meeting !== undefined))
        throw new WrongUse('Name the effects, or the meeting: --meeting.\n');
      const isDryRun = meeting !== undefined && !yes;
      const { listSentOf, recallEffect } = await import('@aftermeet/recipes');
      const recalled: { effectKey: string; recipe: string; destination: string; outcome?: RecallOutcome }[] =
        [];
      await withOperator(context, async (operator) => {
        const entries =
          meeting === undefined
            ? await listNamed(names, kind, operator)
            : await listSentOf(meeting, operator);
        const { recipes, destinations } = operator.requireSettings();
        const tools = { ...operator, recipes, destinations };
        for (const entry of entries) {
          const { effectKey, recipe, destination, meetingId } = entry;
          const outcome = isDryRun ? undefined : await recallEffect(entry, tools);
          recalled.push({ effectKey, recipe, destination, ...(outcome === undefined ? {} : { outcome }) });
          if (outcome?.kind === 'recalled') {
            const what = `recall: ${recipe} to ${destination} is taken back`;
            const note = { kind: 'operated', atMs: operator.clock(), who: COMMAND_LINE, what } as const;
            operator.journal.note({ meetingId, note });
          }
          const words = outcome === undefined ? '' : `  ${describeRecall(outcome)}`;
          if (!json) context.write(`${shortenId(effectKey)}  ${recipe}  ${destination}${words}\n`);
        }
      });
      const stays = recalled.filter(({ outcome }) => outcome !== undefined && !isTakenBack(outcome));
      if (stays.length > 0) context.finish(EXIT_FAILED);
      if (json) context.write(formatItems(recalled, { dryRun: isDryRun }));
      else if (meeting !== undefined) context.write(sumUp(recalled.length, stays.length, isDryRun));
    });
}

function isTakenBack({ kind: outcome }: RecallOutcome): boolean {
  return outcome === 'recalled' || outcome === 'recalled_before';
}

function sumUp(count: number, staying: number, isDryRun: boolean): string {
  if (count === 0) return 'Nothing that was sent about this meeting is known.\n';
  if (isDryRun) return `${count} would be taken back. Nothing was changed: add --yes.\n`;
  return `${count - staying} taken back${staying === 0 ? '' : `, ${staying} stay`}.\n`;
}

async function listNamed(
  names: readonly string[],
  kind: NamedKind,
  operator: Operator,
): Promise<readonly LedgerEntry[]> {
  const { findEffect, listWithReplies } = await import('@aftermeet/recipes');
  const entries: LedgerEntry[] = [];
  for (const name of names) {
    const entry = requireFound(name, await findEffect(name, operator), kind);
    entries.push(...(await listWithReplies(entry, operator)));
  }
  return entries;
}
