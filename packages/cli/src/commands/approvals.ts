import type { ApprovalOutcome, LedgerEntry, SeenDraft } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { EXIT_FAILED, wrongSettings, WrongUse } from '../errors.ts';
import { requireYes } from '../operate/confirm.ts';
import {
  explainNotFound,
  formatMinute,
  type NamedKind,
  type Operator,
  requireFound,
  shortenId,
  withOperator,
} from '../operate/operator.ts';
import { EDIT_EXPECTED } from '../operate/outcome-words.ts';
import { showDecisionInSlack } from '../operate/show-decision.ts';
import { withService } from '../service/with-service.ts';
import { hideSecrets } from '../settings/hide-secrets.ts';
import {
  type Column,
  formatFacts,
  formatIso,
  formatItems,
  formatJson,
  formatTable,
} from '../terminal/format.ts';
import { cleanText } from '../terminal/text.ts';

const kind: NamedKind = { noun: 'effect', list: 'aftermeet approvals list' };

const columns: readonly Column<LedgerEntry>[] = [
  { title: 'HELD (UTC)', read: ({ changedAtMs }) => formatMinute(changedAtMs) },
  { title: 'RECIPE', read: ({ recipe }) => recipe, shrinks: true },
  { title: 'CAUSE', read: ({ cause }) => cause, shrinks: true },
  { title: 'MEETING', read: ({ meetingId }) => meetingId, isMeeting: true, leftOut: 1 },
  { title: 'EFFECT', read: ({ effectKey }) => effectKey, isId: true },
];

/** `aftermeet approvals`: mail to people outside that waits for approval. */
export function addApprovalsCommand(program: Command, context: CommandContext): void {
  const approvals = program
    .command('approvals')
    .summary('approve or discard mail to people outside')
    .description(
      'Mail to people outside is held until a person approves it, unless its recipe says otherwise (external: send). ' +
        'An effect is named by its key, or by the first characters of its key (at least 8).',
    );
  addList(approvals, context);
  addShow(approvals, context);
  addDecision(approvals, context, 'approve');
  addDecision(approvals, context, 'discard');
  refuseDrafts(program);
}

function addList(approvals: Command, context: CommandContext): void {
  approvals
    .command('list')
    .summary('list what waits for approval')
    .description('Lists the effects that wait for approval, newest first.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet approvals list')
    .action(async ({ json }: { json?: boolean }) => {
      const held = await withOperator(context, listEntries, { result: [] });
      if (json === true) context.write(formatItems(held.map(viewHeld)));
      else if (held.length > 0) context.write(formatTable(held, columns, tableView(context)));
      else context.write('Nothing waits for approval.\n');
    });
}

function addShow(approvals: Command, context: CommandContext): void {
  approvals
    .command('show')
    .summary('show a mail as it would be sent now')
    .description('Renders an effect from the report as it is now: recipient, subject and text.')
    .argument('<effect-key>', 'effect, as aftermeet approvals list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet approvals show 62d25587d909')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { recipeProblems } = await import('../settings/load.ts');
      const { bindRecipes, findEffect, isBuiltInMessage, renderHeld } = await import('@aftermeet/recipes');
      const { entry, held } = await withService(context, { json }, ({ client }) =>
        withOperator(context, async (operator) => {
          const found = requireFound(name, await findEffect(name, operator), kind);
          const settings = operator.requireSettings();
          const { recipes, destinations } = settings;
          // bindRecipes throws them with what was found, which can be a secret.
          const problems = recipes.length === 0 ? [] : recipeProblems(settings);
          if (problems.length > 0) throw wrongSettings(problems);
          const bound = bindRecipes(recipes, destinations);
          return {
            entry: found,
            held: await renderHeld(found, {
              ...operator,
              client,
              recipes: bound,
              people: destinations.people,
            }),
          };
        }),
      );
      const rendered =
        held.kind === 'rendered' && isBuiltInMessage(held.rendered) ? held.rendered : undefined;
      const mail = rendered?.destination === 'email' ? rendered.message : undefined;
      const to = held.kind === 'rendered' ? held.job.target : undefined;
      const problem =
        held.kind === 'not_rendered'
          ? hideSecrets(held.cause)
          : held.kind === 'job_gone'
            ? 'its job is not stored any more'
            : undefined;
      const seen = held.kind === 'rendered' ? held.contentHash : undefined;
      const facts = { ...viewHeld(entry), to, subject: mail?.subject, attach: mail?.attach, problem, seen };
      if (json === true) {
        context.write(formatJson({ ...facts, text: mail?.text }));
        return;
      }
      context.write(formatFacts({ ...facts, attach: mail?.attach?.join(', ') }));
      if (mail !== undefined) context.write(`\n${cleanText(mail.text).trim()}\n`);
    });
}

interface DecisionOptions {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly seen?: string;
  readonly to?: string;
  readonly subject?: string;
}

const decisions = {
  approve: {
    summary: 'approve effects: a worker sends them',
    description:
      'Approves effects. A worker renders each from the report as it is then, and sends it; with --seen only if it is still ' +
      'what aftermeet approvals show has shown, else it waits again. With --seen, --to and --subject change the recipient and ' +
      'the subject. The exit code is 1 if one does not wait for approval, or cannot be sent because its job is not stored any more.',
  },
  discard: {
    summary: 'discard effects without sending them',
    description: 'Discards effects. The exit code is 1 if one does not wait for approval.',
  },
} as const;

const WILL_BE = { approve: 'sent', discard: 'discarded' } as const;

function addDecision(approvals: Command, context: CommandContext, decision: keyof typeof decisions): void {
  const { summary, description } = decisions[decision];
  const command = approvals
    .command(decision)
    .summary(summary)
    .description(description)
    .argument('[effect-key...]', 'effects, as aftermeet approvals list shows them')
    .option('--all', 'instead: all that wait; asks first')
    .option('--yes', 'with --all: do not ask; needed without a terminal')
    .option('--json', 'print JSON');
  if (decision === 'approve')
    command
      .option('--seen <content>', 'only if its content is still this, as aftermeet approvals show prints it')
      .option('--to <address>', 'send it to this address instead')
      .option('--subject <text>', 'send it with this subject instead');
  command
    .addHelpText(
      'after',
      `\nExamples:\n  aftermeet approvals ${decision} 62d25587d909\n  aftermeet approvals ${decision} --all --yes`,
    )
    .action(async (names: string[], options: DecisionOptions) => {
      const { all = false, yes, json = false } = options;
      if (names.length > 0 === all) throw new WrongUse('Name the effects, or choose all: --all.\n');
      const { approveEffect, discardEffect } = await import('@aftermeet/recipes');
      const { silentLog } = await import('@aftermeet/queue');
      const seen = await readSeen(names, options);
      const decided: { effectKey: string; recipe: string; outcome: ApprovalOutcome }[] = [];
      const problems: string[] = [];
      await withOperator(context, async (operator) => {
        const { slack } = operator.destinations;
        const entries = all ? await listEntries(operator) : await findEntries(names, operator, problems);
        if (all && entries.length > 0) {
          const count = entries.length === 1 ? '1 mail' : `${entries.length} mails`;
          await requireYes(`${count} will be ${WILL_BE[decision]}.`, context, yes);
        }
        for (const entry of entries) {
          const outcome =
            decision === 'approve'
              ? await approveEffect(entry, operator, seen)
              : await discardEffect(entry, operator);
          const { effectKey } = entry;
          const changed = Object.keys(seen?.edit ?? {});
          const who = 'aftermeet approvals';
          await showDecisionInSlack(
            { effectKey, outcome, who, changed },
            { ...operator, slack, log: silentLog },
          );
          decided.push({ effectKey, recipe: entry.recipe, outcome });
          if (!json)
            context.write(`${shortenId(entry.effectKey)}  ${entry.recipe}  ${describeOutcome(outcome)}\n`);
        }
      });
      for (const problem of problems) context.writeError(`${problem}\n`);
      if (problems.length > 0 || decided.some(({ outcome }) => isFailed(outcome)))
        context.finish(EXIT_FAILED);
      if (json) context.write(formatItems(decided));
      else if (decided.length === 0 && problems.length === 0) context.write('Nothing waits for approval.\n');
    });
}

/** What the operator has seen, and changes. */
async function readSeen(
  names: readonly string[],
  { seen: contentHash, to, subject }: DecisionOptions,
): Promise<SeenDraft | undefined> {
  const isChanged = to !== undefined || subject !== undefined;
  if (contentHash === undefined) {
    if (isChanged) throw new WrongUse('Say what you have seen and change: --seen.\n');
    return undefined;
  }
  if (names.length !== 1) throw new WrongUse('--seen is for one effect.\n');
  const { readMailEdit } = await import('@aftermeet/recipes');
  const read = readMailEdit({ to, subject }, { to: '', subject: '' });
  if (!read.ok) throw new WrongUse(`--${read.wrong}: ${EDIT_EXPECTED[read.wrong]}.\n`);
  return { contentHash, edit: read.edit };
}

function describeOutcome(outcome: ApprovalOutcome): string {
  if (outcome.kind === 'discarded') return 'is discarded';
  if (outcome.kind === 'not_held') return `does not wait for approval: it is ${outcome.state}`;
  return outcome.retried === 'job_gone'
    ? 'is approved, and cannot be sent: neither its job nor its delivery is stored any more'
    : 'is approved: a worker sends it';
}

function isFailed(outcome: ApprovalOutcome): boolean {
  return outcome.kind === 'not_held' || (outcome.kind === 'approved' && outcome.retried === 'job_gone');
}

async function listEntries({ ledger }: Operator): Promise<readonly LedgerEntry[]> {
  const { listHeld } = await import('@aftermeet/recipes');
  const entries: LedgerEntry[] = [];
  for await (const entry of listHeld(ledger)) entries.push(entry);
  return entries;
}

async function findEntries(
  names: readonly string[],
  operator: Operator,
  problems: string[],
): Promise<readonly LedgerEntry[]> {
  const { findEffect } = await import('@aftermeet/recipes');
  const entries: LedgerEntry[] = [];
  for (const name of names) {
    const found = await findEffect(name, operator);
    if (found.kind === 'found') entries.push(found.value);
    else problems.push(explainNotFound(name, found, kind));
  }
  return entries;
}

/** A held effect for `--json`, without its target. */
function viewHeld({ effectKey, recipe, destination, meetingId, state, cause, changedAtMs }: LedgerEntry) {
  return { effectKey, recipe, destination, meetingId, state, cause, heldAt: formatIso(changedAtMs) };
}

/** The earlier command for drafts in a folder; refused, and the refusal names its replacement. */
function refuseDrafts(program: Command): void {
  program
    .command('drafts', { hidden: true })
    .allowUnknownOption()
    .argument('[words...]')
    .action(() => {
      throw new WrongUse(
        'Drafts in a folder are gone: aftermeet approvals lists, shows, approves and discards mail to people outside.\n',
      );
    });
}
