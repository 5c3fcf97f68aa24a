import { suggestName } from '@aftermeet/contract';
import {
  createPlanner,
  findDeliveries,
  type JudgedEffect,
  type PlanDelivery,
  type ReplayedDelivery,
  replayDelivery,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import type { Moment } from '../parse-moment.ts';
import type { Settings } from '../settings/settings.ts';
import { WORKSPACE } from '../settings/workspace.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';
import { formatMinute, shortenId, viewDelivery } from './delivery-view.ts';
import { countVerdicts, describeDeed } from './describe-verdict.ts';
import { deliveryKind, explainNotFound } from './find-named.ts';
import { readRange } from './list-deliveries.ts';
import { type Operator, type OperatorOptions, requirePlan, withOperator } from './with-operator.ts';

export interface ReplayCommandOptions extends OperatorOptions {
  readonly since?: Moment;
  readonly until?: Moment;
  readonly recipe?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** What `aftermeet deliveries replay` does: the oldest first, as they came. */
export async function replayDeliveries(
  context: Context,
  names: readonly string[],
  options: ReplayCommandOptions,
  finish: (code: number) => void,
): Promise<void> {
  const { recipe, dryRun = false, force = false, json = false } = options;
  if (names.length > 0 === (options.since !== undefined || options.until !== undefined)) {
    throw new WrongUse('Name the deliveries, or give a range with --since and --until: one of the two.\n');
  }
  const replayed: ReplayedDelivery[] = [];
  const effects: Pick<JudgedEffect, 'verdict'>[] = [];
  let count = 0;
  const missing = await withOperator(context, options, async (operator) => {
    requireRecipe(operator.settings, recipe);
    const plan = force ? planForced(operator) : requirePlan(operator);
    const { ids, problems } = await listIds(names, options, operator);
    for (const id of ids) {
      const job = await operator.desk.findEvent(id);
      // It was past its time a moment ago.
      if (job === undefined) continue;
      const choice = { isDryRun: dryRun, isForced: force, ...(recipe === undefined ? {} : { recipe }) };
      const result = await replayDelivery(job, choice, { ...operator, plan });
      count += 1;
      effects.push(...result.effects.map(({ verdict }) => ({ verdict })));
      if (names.length > 0 && result.refused !== undefined) finish(EXIT_FAILED);
      if (json) replayed.push(result);
      else context.write(describeReplayed(result));
    }
    return problems;
  });
  if (missing.length > 0) finish(EXIT_FAILED);
  for (const problem of missing) context.writeError(`${problem}\n`);
  if (json) {
    const deliveries = replayed.map(({ delivery, ...rest }) => ({ ...viewDelivery(delivery), ...rest }));
    context.write(formatJson({ dryRun, deliveries }));
  } else if (count === 0 && missing.length === 0) context.write('No delivery found.\n');
  else if (count > 0) context.write(describeSum(count, effects, dryRun));
}

/** Also what is older than the ledger remembers. */
function planForced(operator: Operator): PlanDelivery {
  requirePlan(operator);
  const { recipes, endpointRecipes, destinations } = operator.settings;
  const maxAgeMs = Number.POSITIVE_INFINITY;
  return createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes, destinations, maxAgeMs });
}

function requireRecipe({ recipes }: Settings, recipe: string | undefined): void {
  const names = recipes.map(({ name }) => name);
  if (recipe === undefined || names.includes(recipe)) return;
  const known = names.length === 0 ? 'none is configured' : suggestName(recipe, names);
  throw new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(recipe))}: ${known}\n`);
}

/** Ids alone: what is stored under them may be large. */
async function listIds(
  names: readonly string[],
  options: ReplayCommandOptions,
  { desk, clock }: Operator,
): Promise<{ readonly ids: readonly string[]; readonly problems: readonly string[] }> {
  const ids: string[] = [];
  if (names.length === 0) {
    for await (const { id } of desk.listEvents(readRange(options, clock()))) ids.push(id);
    return { ids: ids.toReversed(), problems: [] };
  }
  const problems: string[] = [];
  for (const [name, found] of await findDeliveries(names, desk)) {
    if (found.kind === 'found') ids.push(found.value.id);
    else problems.push(explainNotFound(name, found, deliveryKind));
  }
  return { ids: [...new Set(ids)], problems };
}

function describeReplayed({ delivery, effects, refused }: ReplayedDelivery): string {
  const { kind = 'unreadable', meetingId = '', title = '' } = delivery;
  const head = [shortenId(delivery.id), formatMinute(delivery.receivedAtMs), kind, meetingId, title];
  const lines =
    refused === undefined
      ? effects.map((effect) => `${effect.recipe}  ${effect.destination}  ${describeDeed(effect.verdict)}`)
      : [cleanLine(`not replayed: ${refused}`)];
  if (lines.length === 0) lines.push('no recipe wants it');
  const cells = head.map(cleanLine).filter((cell) => cell !== '');
  return `${cells.join('  ')}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function describeSum(
  count: number,
  effects: readonly Pick<JudgedEffect, 'verdict'>[],
  isDryRun: boolean,
): string {
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  const sum = effects.length === 0 ? 'no effects' : countVerdicts(effects, describeDeed);
  return `\n${deliveries}: ${sum}.\n${isDryRun ? 'Nothing was changed: without --dry-run it is done.\n' : ''}`;
}
