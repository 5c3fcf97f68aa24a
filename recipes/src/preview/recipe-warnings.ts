import { EVENT_KINDS, suggestName } from '@aftermeet/contract';

import { ownAlertKinds } from '../alert-text.ts';
import type { BoundRecipe, RecipeWhen } from '../recipe.ts';
import { listValues } from '../routing/list-values.ts';
import type { PlacedRecipe } from './explain-recipes.ts';
import { shareFiles } from './share-files.ts';

const knownKinds: readonly string[] = [...EVENT_KINDS, ...ownAlertKinds];

/** What is odd about a recipe, though it runs. Addresses are not repeated. */
export function warnOfRecipes(recipe: PlacedRecipe, all: readonly PlacedRecipe[]): readonly string[] {
  const { configured, bound, endpoints } = recipe;
  const warnings: string[] = [];
  if (bound?.schedule === undefined && endpoints.length === 0) {
    warnings.push('No endpoint runs it: name it in the recipes of one, or mend its when.endpoint.');
  }
  warnings.push(...warnOfWhen(bound));
  const twins = all.filter((other) => other !== recipe && isTwin(recipe, other));
  for (const { configured: twin } of twins) {
    warnings.push(
      `It and ${twin.name} send the same to the same place: a meeting that both want is told of twice.`,
    );
  }
  for (const { configured: other } of all.filter((each) => each !== recipe && mayMeet(recipe, each))) {
    if (!shareFiles(configured, other)) continue;
    warnings.push(
      `It and ${other.name} put different files under the same names into one folder, each in the place of the other's: give one of them another folder or name.`,
    );
  }
  if (configured.with['external'] === 'send' && isForOthers(configured.with['to'])) {
    warnings.push('Its mail goes to people outside without anybody having looked at it (external: send).');
  }
  return warnings;
}

/** Conditions that are allowed and that no meeting ever meets. */
function warnOfWhen(bound: BoundRecipe | undefined): readonly string[] {
  if (bound === undefined) return [];
  const { when, prebuilt } = bound;
  const unheard = listValues(when.event ?? []).filter((kind) => !knownKinds.includes(kind));
  return [
    ...unheard.map(
      (kind) =>
        `Nobody is known to send the event ${kind}: its when.event may mean ${suggestName(kind, knownKinds)}.`,
    ),
    ...(prebuilt.transcript === 'present' && when.isTranscriptEmpty === true
      ? [
          'It asks for meetings without a transcript and sends nothing of those: mend its when.isTranscriptEmpty.',
        ]
      : []),
  ];
}

/** A rule chooses among those who took part; an address that somebody wrote down was looked at. */
function isForOthers(to: unknown): boolean {
  return [to].flat().some((rule) => rule === 'all' || rule === 'external');
}

function isTwin(one: PlacedRecipe, other: PlacedRecipe): boolean {
  return (
    one.configured.use === other.configured.use &&
    isOverlapping(one.targets, other.targets) &&
    isSameContent(one, other) &&
    mayMeet(one, other)
  );
}

/** Without a target of its own it goes where the report says. */
function isOverlapping(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return one.length === other.length;
  return one.some((target) => other.includes(target));
}

/** What tells two forwards or two archives apart is in their options alone. */
function isSameContent({ configured: one }: PlacedRecipe, { configured: other }: PlacedRecipe): boolean {
  return JSON.stringify(one.with) === JSON.stringify(other.with) || one.use.startsWith('slack');
}

/** Whether one meeting is meant for both, as far as their conditions tell. */
function mayMeet(one: PlacedRecipe, other: PlacedRecipe): boolean {
  if (one.bound === undefined || other.bound === undefined) return false;
  if (one.bound.schedule !== undefined) return true;
  return (
    one.endpoints.some((endpoint) => other.endpoints.includes(endpoint)) &&
    !isToldApart(one.bound.when, other.bound.when)
  );
}

const listed = ['event', 'title', 'tag', 'source', 'template', 'participantDomain'] as const;

/**
 * Whether conditions of the same kind name different things. A meeting can still meet both (two tags, a title that fits
 * two patterns), but whoever wrote them has thought of that.
 */
function isToldApart(one: RecipeWhen, other: RecipeWhen): boolean {
  const areEmpty = [one.isTranscriptEmpty, other.isTranscriptEmpty];
  return (
    (areEmpty.includes(true) && areEmpty.includes(false)) ||
    listed.some((key) => isDisjoint(one[key], other[key])) ||
    isShorter(one.duration, other.duration) ||
    isShorter(other.duration, one.duration)
  );
}

type Listed = RecipeWhen[(typeof listed)[number]];

function isDisjoint(wanted: Listed, others: Listed): boolean {
  if (wanted === undefined || others === undefined) return false;
  const names = new Set(listValues(others).map(foldName));
  return !listValues(wanted).some((value) => names.has(foldName(value)));
}

function isShorter(one: RecipeWhen['duration'], other: RecipeWhen['duration']): boolean {
  return (one?.atMostSeconds ?? Infinity) <= (other?.atLeastSeconds ?? 0);
}

function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
