import type { CancelledEffect, LedgerEntry, RetryOutcome, TracedEffect } from '@aftermeet/recipes';
import { type Command, Option } from 'commander';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, Failure, WrongUse } from '../errors.ts';
import { requireYes } from '../operate/confirm.ts';
import {
  COMMAND_LINE,
  explainNotFound,
  type NamedKind,
  type Operator,
  requireFound,
  sayNoneFound,
  shortenId,
  withOperator,
} from '../operate/operator.ts';
import { CANCEL_WORDS, RESEND_WORDS, RETRY_WORDS } from '../operate/outcome-words.ts';
import { type Moment, parseMoment } from '../options.ts';
import { formatFacts, formatIso, formatItems, formatJson } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';
import { nameState, viewEffect, viewWait } from './effect-view.ts';
import { addListCommand } from './effects-list.ts';
import { addRecallCommand } from './effects-recall.ts';

const kind: NamedKind = { noun: 'effect', list: 'aftermeet effects list --state all' };

/** `aftermeet effects`: lists, inspects and repairs what is sent. */
export function addEffectsCommand(program: Command, context: CommandContext): void {
  const effects = program
    .command('effects')
    .summary('list, inspect, retry and settle what is sent')
    .description(
      'An effect is one message, page or mail: of one recipe, for one event, to one target. The ledger records whether ' +
        'it was sent. An effect is named by its key, or by the first characters of its key (at least 8).',
    );
  addListCommand(effects, context);
  addShowCommand(effects, context);
  addRetryCommand(effects, context);
  addResendCommand(effects, context);
  addRecallCommand(effects, context, kind);
  addSettleCommand(effects, context);
  addDismissCommand(effects, context);
  addCancelCommand(effects, context);
}

interface Selection {
  readonly recipe?: string;
  readonly meeting?: string;
}

function addShowCommand(effects: Command, context: CommandContext): void {
  effects
    .command('show')
    .summary('show everything about an effect')
    .description(
      'Shows an effect: its state and cause, why it waits and when it is tried next, a reference to what was sent, ' +
        'when it was received, first tried and last changed, its attempts and probes, its trace id, and its job. It ' +
        'is found in the ledger, in the queues, and among what the recipes make of the stored deliveries. Where it goes is ' +
        'not shown, because that can be an address of a person: --reveal shows it, and the timeline of the meeting says so.',
    )
    .argument('<effect-key>', 'effect, as a list or a log line shows it')
    .option('--reveal', 'also show where it goes: a channel, an address, a data source')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet effects show 62d25587d909\n  aftermeet effects show 62d25587d909 --reveal',
    )
    .action(async (name: string, { reveal = false, json }: { reveal?: boolean; json?: boolean }) => {
      const { explainWait, findEffect, traceEffect } = await import('@aftermeet/recipes');
      const { knownFrom, entry, job, target } = await withOperator(
        context,
        async (operator) => {
          const { knownFrom: from, ...found } = requireFound(name, await findEffect(name, operator), kind);
          const traced = await traceEffect(found, operator);
          return { knownFrom: from, ...traced, target: reveal ? revealTarget(traced, operator) : undefined };
        },
        'refuse',
      );
      const wait = job && explainWait(job);
      const state = nameState(entry, wait);
      const effect = viewEffect(entry);
      const viewed = job && viewJob(job);
      if (json === true) {
        const isRecorded = knownFrom === undefined;
        const waiting = wait && viewWait(wait);
        context.write(formatJson({ ...effect, state, isRecorded, waiting, job: viewed, target }));
        return;
      }
      context.write(
        formatFacts({
          effect: entry.effectKey,
          state,
          cause: entry.cause,
          waits: wait?.cause,
          'next try': wait?.nextTryMs === undefined ? undefined : formatIso(wait.nextTryMs),
          reference: entry.reference,
          recipe: entry.recipe,
          destination: entry.destination,
          target: reveal ? (target ?? 'not known: its job is not stored any more') : undefined,
          part: entry.part,
          event: entry.eventKind,
          meeting: entry.meetingId,
          occurred: entry.occurrence,
          received: effect.receivedAt,
          'first tried': effect.firstIntentAt,
          changed: effect.changedAt,
          attempts: entry.attempts,
          probes: entry.probes,
          trace: entry.traceId,
          job: viewed === undefined ? missingJobs[knownFrom ?? 'ledger'] : describeJob(viewed),
        }),
      );
    });
}

/** Where an effect goes. The timeline of its meeting says that it was looked up. */
function revealTarget({ entry, job }: TracedEffect, { journal, clock }: Operator): string | undefined {
  const target = job?.data?.target;
  const { meetingId, recipe, effectKey } = entry;
  if (target === undefined || meetingId === '') return target;
  const what = `looked up where ${recipe} (${shortenId(effectKey)}) goes`;
  journal.note({ meetingId, note: { kind: 'operated', atMs: clock(), who: COMMAND_LINE, what } });
  return target;
}

const missingJobs = {
  ledger: 'not stored any more',
  queue: 'not stored any more',
  delivery: 'never queued: aftermeet deliveries replay queues it',
} as const;

function describeJob({ state, dueAt, startedTimes, cause }: ReturnType<typeof viewJob>): string {
  const due = dueAt === undefined ? '' : ` until ${dueAt}`;
  const starts = startedTimes === 1 ? 'started once' : `started ${startedTimes} times`;
  return `${state}${due}, ${starts}${cause === undefined ? '' : `: ${cause}`}`;
}

interface RetryOptions extends Selection {
  readonly yes?: boolean;
  readonly failed?: boolean;
  readonly json?: boolean;
}

interface Retried {
  readonly effectKey: string;
  readonly recipe: string;
  readonly destination: string;
  readonly outcome: RetryOutcome;
}

function addRetryCommand(effects: Command, context: CommandContext): void {
  effects
    .command('retry')
    .summary('try effects again')
    .description(
      'Tries failed effects again, and waiting ones at once. If it is not known whether an effect was sent, the ' +
        'destination is asked first. What was sent is not sent again. Where the recipe sends to another target now, it goes ' +
        'there. The exit code is 1 if an effect cannot be ' +
        'tried because neither its job nor its delivery is stored any more.',
    )
    .argument('[effect-key...]', 'effects, as aftermeet effects list shows them')
    .option('--failed', 'retry all failed effects, instead of naming them; asks first')
    .option('--yes', 'with --failed: do not ask; needed without a terminal')
    .option('--recipe <name>', 'with --failed: those of this recipe')
    .option('--meeting <meeting-id>', 'with --failed: those of this meeting')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet effects retry 62d25587d909\n' +
        '  aftermeet effects retry --failed --recipe sales-recap --yes',
    )
    .action(async (names: string[], options: RetryOptions) => {
      const { failed = false, recipe, meeting, yes, json = false } = options;
      if (names.length > 0 === failed || (!failed && (recipe !== undefined || meeting !== undefined))) {
        throw new WrongUse('Name the effects, or retry all failed ones: --failed, perhaps with --recipe.\n');
      }
      const { retryEffect } = await import('@aftermeet/recipes');
      const retried: Retried[] = [];
      const problems = await withOperator(context, async (operator) => {
        const listed = await listEntries(names, options, operator);
        const count = listed.entries.length;
        if (failed && count > 0)
          await requireYes(
            `${count === 1 ? '1 effect' : `${count} effects`} will be tried again.`,
            context,
            yes,
          );
        for (const entry of listed.entries) {
          const { effectKey, destination } = entry;
          const outcome = await retryEffect(entry, operator);
          retried.push({ effectKey, recipe: entry.recipe, destination, outcome });
          const label = `${shortenId(effectKey)}  ${entry.recipe}  ${destination}`;
          if (!json) context.write(`${label}  ${RETRY_WORDS[outcome]}\n`);
        }
        return listed.problems;
      });
      for (const problem of problems) context.writeError(`${problem}\n`);
      if (problems.length > 0 || retried.some(({ outcome }) => outcome === 'job_gone')) {
        context.finish(EXIT_FAILED);
      }
      if (json) context.write(formatItems(retried));
      else if (retried.length === 0 && problems.length === 0) context.write('No effect has failed.\n');
    });
}

async function listEntries(
  names: readonly string[],
  options: Selection,
  operator: Operator,
): Promise<{ readonly entries: readonly LedgerEntry[]; readonly problems: readonly string[] }> {
  const { findEffect, listEffects } = await import('@aftermeet/recipes');
  const entries: LedgerEntry[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const found = await findEffect(name, operator);
    if (found.kind === 'found') entries.push(found.value);
    else problems.push(explainNotFound(name, found, kind));
  }
  if (names.length > 0) return { entries, problems };
  const selection = { states: ['failed'] as const, ...select(options) };
  // All are listed first, because a retried effect leaves the list.
  for await (const entry of listEffects(selection, operator.ledger)) entries.push(entry);
  // A reply fails while the message that it belongs to is not sent.
  return { entries: entries.toSorted((one, other) => one.part - other.part), problems };
}

function addResendCommand(effects: Command, context: CommandContext): void {
  effects
    .command('resend')
    .summary('send again what was deleted at its destination')
    .description(
      'Sends an effect again that was sent and is not there any more. Its destination is asked first: what is still ' +
        'there is not sent a second time. Where it cannot be asked (mail without IMAP), the effect is parked, and ' +
        'aftermeet effects settle --not-sent sends it. The exit code is 1 if it was not sent, or cannot be sent again.',
    )
    .argument('<effect-key>', 'effect, as aftermeet effects list --state sent shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet effects resend 62d25587d909')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { findEffect, resendEffect } = await import('@aftermeet/recipes');
      const { effectKey, outcome } = await withOperator(context, async (operator) => {
        const entry = requireFound(name, await findEffect(name, operator), kind);
        return { effectKey: entry.effectKey, outcome: await resendEffect(entry, operator) };
      });
      if (outcome === 'job_gone' || outcome === 'not_sent') context.finish(EXIT_FAILED);
      if (json === true) context.write(formatJson({ effectKey, outcome }));
      else context.write(`The effect ${shortenId(effectKey)} ${RESEND_WORDS[outcome]}.\n`);
    });
}

interface SettleOptions {
  readonly yes?: boolean;
  readonly sent?: boolean;
  readonly notSent?: boolean;
  readonly json?: boolean;
}

function addSettleCommand(effects: Command, context: CommandContext): void {
  effects
    .command('settle')
    .summary('mark an effect as sent or not sent')
    .description(
      'Marks a parked, unknown or failed effect as sent or not sent; check the destination first. With --not-sent ' +
        'it is sent without another probe.',
    )
    .argument('<effect-key>', 'effect, as aftermeet effects list shows it')
    .addOption(new Option('--sent', 'it arrived').conflicts('notSent'))
    .addOption(new Option('--not-sent', 'it did not arrive: send it'))
    .option('--yes', 'do not ask; needed without a terminal')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet effects settle 62d25587d909 --not-sent --yes')
    .action(async (name: string, { sent = false, notSent = false, yes, json = false }: SettleOptions) => {
      if (sent === notSent) throw new WrongUse('Add --sent or --not-sent.\n');
      const { findEffect, settleEffect } = await import('@aftermeet/recipes');
      const { effectKey, outcome } = await withOperator(context, async (operator) => {
        const entry = requireFound(name, await findEffect(name, operator), kind);
        const label = `${shortenId(entry.effectKey)} (${entry.recipe}, ${entry.destination})`;
        await requireYes(`${label} ${sent ? 'counts as sent from now on' : 'will be sent'}.`, context, yes);
        const settled = await settleEffect(entry, sent ? 'sent' : 'not_sent', operator);
        return { effectKey: entry.effectKey, outcome: settled };
      });
      if (outcome.kind === 'not_open') {
        throw notOpen(effectKey, outcome.state);
      }
      const { retried } = outcome;
      if (retried === 'job_gone') context.finish(EXIT_FAILED);
      const label = `The effect ${shortenId(effectKey)} is marked as`;
      if (json) context.write(formatJson({ effectKey, state: sent ? 'sent' : 'pending', retried }));
      else if (retried === undefined) context.write(`${label} sent.\n`);
      else context.write(`${label} not sent, and ${RETRY_WORDS[retried]}.\n`);
    });
}

function addDismissCommand(effects: Command, context: CommandContext): void {
  effects
    .command('dismiss')
    .summary('mark an effect as one that nothing is to be done about')
    .description(
      'Marks a parked, unknown or failed effect as skipped, with your reason: it needs no attention any more. Its ' +
        'reason stands in the list and in its meeting. aftermeet effects retry tries it after all.',
    )
    .argument('<effect-key>', 'effect, as aftermeet effects list shows it')
    .requiredOption('--reason <words>', 'why, for the next person who looks')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  aftermeet effects dismiss 62d25587d909 --reason "the channel is gone"',
    )
    .action(async (name: string, { reason, json }: { reason: string; json?: boolean }) => {
      const { findEffect, settleEffect } = await import('@aftermeet/recipes');
      const { effectKey, outcome } = await withOperator(context, async (operator) => {
        const entry = requireFound(name, await findEffect(name, operator), kind);
        const settled = await settleEffect(entry, 'dismissed', operator, cleanLine(reason));
        return { effectKey: entry.effectKey, outcome: settled };
      });
      if (outcome.kind === 'not_open') throw notOpen(effectKey, outcome.state);
      if (json === true) context.write(formatJson({ effectKey, state: 'skipped' }));
      else context.write(`The effect ${shortenId(effectKey)} is dismissed.\n`);
    });
}

interface CancelOptions extends Selection {
  readonly destination?: string;
  readonly since?: Moment;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

function addCancelCommand(effects: Command, context: CommandContext): void {
  effects
    .command('cancel')
    .summary('cancel what waits to be sent')
    .description(
      'Cancels effects that wait in their queues: they are not sent, and count as skipped. Without --yes it only counts ' +
        'them. What a worker has now goes its way; what may have been sent stays. aftermeet pause stops a recipe or a ' +
        'destination first; aftermeet effects retry sends a cancelled one after all.',
    )
    .option('--recipe <name>', 'those of this recipe')
    .option('--destination <name>', 'those to this destination')
    .option('--meeting <meeting-id>', 'those of this meeting')
    .option(
      '--since <time>',
      'those of deliveries received since then: 2h, or 2026-07-07T14:00Z',
      parseMoment,
    )
    .option('--all', 'instead: all that wait')
    .option('--yes', 'cancel them; without it nothing is changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet effects cancel --recipe sales-recap --since 2h\n' +
        '  aftermeet effects cancel --recipe sales-recap --since 2h --yes',
    )
    .action(async (options: CancelOptions) => {
      const { recipe, destination, meeting: meetingId, since, all, yes = false, json } = options;
      const sinceMs = since?.((context.clock ?? Date.now)());
      const selection = { recipe, destination, meetingId, sinceMs };
      const isSelected = Object.values(selection).some((value) => value !== undefined);
      if (isSelected === (all === true))
        throw new WrongUse('Say which: --recipe, --destination, --meeting or --since; or cancel --all.\n');
      const { cancelWaiting } = await import('@aftermeet/recipes');
      const found: CancelledEffect[] = [];
      const queueName = await withOperator(context, async (operator) => {
        const order = { isDryRun: !yes, who: COMMAND_LINE };
        for await (const effect of cancelWaiting(selection, order, operator)) {
          found.push(effect);
          const { effectKey, recipe: name, destination: to, outcome } = effect;
          if (json !== true && yes)
            context.write(`${shortenId(effectKey)}  ${name}  ${to}  ${CANCEL_WORDS[outcome]}\n`);
        }
        return operator.queueName;
      });
      if (json === true) context.write(formatItems(found, { dryRun: !yes }));
      else if (found.length === 0) context.write(sayNoneFound('waiting effect', queueName, context));
      else context.write(describeCancelled(found, yes));
    });
}

function describeCancelled(found: readonly CancelledEffect[], isDone: boolean): string {
  const cancelled = found.filter(({ outcome }) => outcome === 'cancelled');
  const rest = found.length - cancelled.length;
  const stay = rest === 0 ? '' : ` ${rest} stay: a worker has them, or they may have been sent.`;
  if (isDone) return `${cancelled.length} cancelled.${stay}\n`;
  const byRecipe = [
    ...new Set(cancelled.map(({ recipe, destination }) => `${recipe} to ${destination}`)),
  ].map((name) => {
    const own = cancelled.filter(({ recipe, destination }) => `${recipe} to ${destination}` === name);
    return `${String(own.length).padStart(6)}  ${name}\n`;
  });
  return `${byRecipe.join('')}${cancelled.length} would be cancelled.${stay} Nothing was changed: add --yes.\n`;
}

function notOpen(effectKey: string, state: LedgerEntry['state']): Failure {
  return new Failure({
    exitCode: EXIT_FAILED,
    code: 'conflict',
    message: `The effect ${shortenId(effectKey)} is ${state}: only unknown, parked and failed effects can be settled.`,
  });
}

function select({ recipe, meeting }: Selection) {
  return { recipe, meetingId: meeting };
}

/** Only the state of its job: the job's data contains the target. */
function viewJob({
  state,
  addedAtMs,
  finishedAtMs,
  dueAtMs,
  startedTimes,
  cause,
}: NonNullable<TracedEffect['job']>) {
  const times = {
    addedAt: formatIso(addedAtMs),
    finishedAt: formatIsoOrNone(finishedAtMs),
    dueAt: formatIsoOrNone(dueAtMs),
  };
  return { state, ...times, startedTimes, cause };
}

function formatIsoOrNone(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatIso(ms);
}
