import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import type { ListEffectsOptions } from '../operate/list-effects.ts';
import type { RetryCommandOptions } from '../operate/retry-effects.ts';
import type { SettleCommandOptions } from '../operate/settle-effect.ts';
import { parseLimit } from '../parse-limit.ts';

const USUAL_LIMIT = 50;

/** The states of the ledger; it is not loaded for a list of words, and a test compares them. */
export const stateChoices = [
  'pending',
  'sending',
  'unknown',
  'sent',
  'skipped',
  'failed',
  'parked',
  'all',
] as const;

type ReadConfig = () => { config?: string };

/** `aftermeet effects`: what was sent, what was not, and what to do about it. */
export function addEffectsCommand(program: Command, context: Context, finish: (code: number) => void): void {
  const effects = program
    .command('effects')
    .summary('what was sent, what was not, and what to do about it')
    .description(
      'An effect is one message, page or mail: of one recipe, for one event, to one target. The ledger knows of each ' +
        'whether it was sent. An effect is named by its key, or by the first characters of that (at least 8).',
    );
  const readConfig = () => program.opts<{ config?: string }>();
  addList(effects, context, readConfig);
  addShow(effects, context, readConfig);
  addRetry(effects, context, readConfig, finish);
  addSettle(effects, context, readConfig, finish);
}

function addList(effects: Command, context: Context, readConfig: ReadConfig): void {
  effects
    .command('list')
    .summary('list what needs a person, or any others')
    .description(
      'Lists effects, the newest change first; without --state those that need a person or soon may: failed (retry ' +
        'it once the cause is mended), parked (nobody could find out whether it was sent: settle it) and unknown ' +
        '(the destination is asked by and by).',
    )
    .addOption(new Option('--state <state>', 'those in this state').choices(stateChoices))
    .option('--recipe <name>', 'those of this recipe')
    .option('--meeting <meeting-id>', 'those of this meeting')
    .option('--limit <number>', 'how many to list at most, or all', parseLimit, USUAL_LIMIT)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet effects list\n' +
        '  aftermeet effects list --state sent --meeting m_42 --json',
    )
    .action(async (options: ListEffectsOptions) => {
      const { listEffects } = await import('../operate/list-effects.ts');
      await listEffects(context, { ...options, ...readConfig() });
    });
}

function addShow(effects: Command, context: Context, readConfig: ReadConfig): void {
  effects
    .command('show')
    .summary('show all that is known of an effect')
    .description(
      'Shows all that is known of an effect: its state and why, where what was sent is, when it was received, first ' +
        'tried and last changed, how often it was tried and looked for, its trace id, and its job.',
    )
    .argument('<effect-key>', 'the effect, as aftermeet effects list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet effects show 62d25587d909')
    .action(async (key: string, options: { json?: boolean }) => {
      const { showEffect } = await import('../operate/show-effect.ts');
      await showEffect(context, key, { ...options, ...readConfig() });
    });
}

function addRetry(
  effects: Command,
  context: Context,
  readConfig: ReadConfig,
  finish: (code: number) => void,
): void {
  effects
    .command('retry')
    .summary('try effects again')
    .description(
      'Has effects tried again that have failed, or that wait: those at once. Of one whose fate is not known the ' +
        'destination is asked first. What was sent is not sent again. The exit code is 1 when one can not be tried, ' +
        'because neither its job nor its delivery is kept any more.',
    )
    .argument('[effect-key...]', 'the effects, as aftermeet effects list shows them')
    .option('--failed', 'instead: all that have failed')
    .option('--recipe <name>', 'of the failed ones those of this recipe')
    .option('--meeting <meeting-id>', 'of the failed ones those of this meeting')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet effects retry 62d25587d909\n' +
        '  aftermeet effects retry --failed --recipe sales-recap',
    )
    .action(async (keys: string[], options: RetryCommandOptions) => {
      const { retryEffects } = await import('../operate/retry-effects.ts');
      await retryEffects(context, keys, { ...options, ...readConfig() }, finish);
    });
}

function addSettle(
  effects: Command,
  context: Context,
  readConfig: ReadConfig,
  finish: (code: number) => void,
): void {
  effects
    .command('settle')
    .summary('say whether an effect was sent')
    .description(
      'Takes your word for whether an effect was sent that is parked, unknown or failed: look at the destination ' +
        'first. With --not-sent it is sent, without another look.',
    )
    .argument('<effect-key>', 'the effect, as aftermeet effects list shows it')
    .addOption(new Option('--sent', 'it arrived').conflicts('notSent'))
    .addOption(new Option('--not-sent', 'it did not arrive: send it'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet effects settle 62d25587d909 --not-sent')
    .action(async (key: string, options: SettleCommandOptions) => {
      const { settleByHand } = await import('../operate/settle-effect.ts');
      await settleByHand(context, key, { ...options, ...readConfig() }, finish);
    });
}
