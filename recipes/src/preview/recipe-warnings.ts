import { resolve } from 'node:path';

import { EVENT_KINDS, suggestName } from '@aftermeet/contract';

import { choosePattern } from '../destinations/folder/file-name.ts';
import { ownAlertKinds } from '../engine/alert-text.ts';
import type { RecipeWhen } from '../engine/conditions/when.ts';
import type { BoundRecipe, ConfiguredRecipe } from '../engine/recipe.ts';
import { archiveOptions, type ArchiveOptions } from '../prebuilt/archive-export.ts';
import { normalizeName } from '../report/people.ts';

/** A recipe with its targets (empty: the report decides) and endpoints. */
export interface PlacedRecipe {
  readonly configured: ConfiguredRecipe;
  readonly bound?: BoundRecipe;
  readonly targets: readonly string[];
  readonly endpoints: readonly string[];
}

const knownKinds: readonly string[] = [...EVENT_KINDS, ...ownAlertKinds];

/** Warnings about a recipe that can run. They contain no addresses. */
export function warnOfRecipes(recipe: PlacedRecipe, all: readonly PlacedRecipe[]): readonly string[] {
  const { configured, bound, endpoints } = recipe;
  const warnings: string[] = [];
  if (bound?.schedule === undefined && endpoints.length === 0) {
    warnings.push('No endpoint runs it: name it in the recipes of one, or correct its when.endpoint.');
  }
  warnings.push(...warnOfWhen(bound));
  const twins = all.filter((other) => other !== recipe && sendsSameAs(recipe, other));
  for (const { configured: twin } of twins) {
    warnings.push(
      `It and ${twin.name} send the same content to the same target: a meeting that both take is posted twice.`,
    );
  }
  for (const { configured: other } of all.filter((each) => each !== recipe && mayMeet(recipe, each))) {
    if (!haveCollidingNames(configured, other)) continue;
    warnings.push(
      `It and ${other.name} write different files under the same names into one folder and replace each other's: give one of them another folder or name.`,
    );
  }
  if (configured.with['external'] === 'send' && includesExternal(configured.with['to'])) {
    warnings.push('Its mail goes to people outside without approval (external: send).');
  }
  return warnings;
}

/** Warnings about valid conditions that no meeting can meet. */
function warnOfWhen(bound: BoundRecipe | undefined): readonly string[] {
  if (bound === undefined) return [];
  const kinds = bound.when.event?.wanted ?? [];
  return kinds
    .filter((kind) => !knownKinds.includes(kind))
    .map(
      (kind) =>
        `No known source sends the event ${kind}: its when.event may mean ${suggestName(kind, knownKinds)}.`,
    );
}

/** Rules choose external participants; named addresses are the user's own choice. */
function includesExternal(to: unknown): boolean {
  return [to].flat().some((rule) => rule === 'all' || rule === 'external');
}

function sendsSameAs(one: PlacedRecipe, other: PlacedRecipe): boolean {
  return (
    one.configured.use === other.configured.use &&
    isOverlapping(one.targets, other.targets) &&
    isSameContent(one, other) &&
    mayMeet(one, other)
  );
}

/** Without targets of its own, the report decides. */
function isOverlapping(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return one.length === other.length;
  return one.some((target) => other.includes(target));
}

/** Two forwards or archives with different options send different content. */
function isSameContent({ configured: one }: PlacedRecipe, { configured: other }: PlacedRecipe): boolean {
  return JSON.stringify(one.with) === JSON.stringify(other.with) || one.use.startsWith('slack');
}

/** Whether one meeting can meet the conditions of both. */
function mayMeet(one: PlacedRecipe, other: PlacedRecipe): boolean {
  if (one.bound === undefined || other.bound === undefined) return false;
  if (one.bound.schedule !== undefined) return true;
  return (
    one.endpoints.some((endpoint) => other.endpoints.includes(endpoint)) &&
    !hasDisjointConditions(one.bound.when, other.bound.when)
  );
}

const listed = ['event', 'title', 'tag', 'source', 'template', 'participantDomain'] as const;

/**
 * Whether conditions of the same kind name different values. A meeting can still meet both (two tags, a title that matches two
 * patterns), but the user has separated them on purpose.
 */
function hasDisjointConditions(one: RecipeWhen, other: RecipeWhen): boolean {
  return (
    isOpposite(one.isTranscriptEmpty, other.isTranscriptEmpty) ||
    isOpposite(one.external, other.external) ||
    listed.some((key) => isDisjoint(one[key], other[key])) ||
    isBelow(one.participants, other.participants) ||
    isBelow(other.participants, one.participants) ||
    // A meeting of exactly the length that both name is rare.
    isBelow(one.duration, other.duration, 1) ||
    isBelow(other.duration, one.duration, 1) ||
    one.otherwise !== undefined ||
    other.otherwise !== undefined ||
    isNegated(one, other) ||
    isNegated(other, one)
  );
}

type Listed = RecipeWhen[(typeof listed)[number]];

function isDisjoint(one: Listed, other: Listed): boolean {
  if (one === undefined || other === undefined) return false;
  const names = new Set(other.wanted.map(normalizeName));
  return !one.wanted.some((value) => names.has(normalizeName(value)));
}

type Switch = RecipeWhen['external'];

function isOpposite(one: Switch, other: Switch): boolean {
  return one !== undefined && other !== undefined && one.wanted !== other.wanted;
}

type Measured = RecipeWhen['duration'];

/** `slack`: how much of both may be the same. */
function isBelow(one: Measured, other: Measured, slack = 0): boolean {
  return (one?.wanted.atMost ?? Infinity) < (other?.wanted.atLeast ?? 0) + slack;
}

/** Whether one excludes what is a condition of the other. */
function isNegated({ not }: RecipeWhen, other: RecipeWhen): boolean {
  const asked = Object.values(other).map(({ yes }) => yes);
  return not?.wanted.length === 1 && asked.includes(not.wanted[0]?.yes ?? '');
}

/**
 * Whether two archives write files with different content under the same names into the same folder. Each would replace the
 * other's files.
 */
function haveCollidingNames(one: ConfiguredRecipe, other: ConfiguredRecipe): boolean {
  const [first, second] = [parseArchive(one), parseArchive(other)];
  return (
    first !== undefined &&
    second !== undefined &&
    resolve(first.folder) === resolve(second.folder) &&
    first.format.some((format) => second.format.includes(format)) &&
    fillArchivePattern(first) === fillArchivePattern(second) &&
    describeContent(first) !== describeContent(second)
  );
}

function parseArchive({ use, with: values }: ConfiguredRecipe): ArchiveOptions | undefined {
  return use === 'archive-export' ? archiveOptions.safeParse(values).data : undefined;
}

/** The name pattern with everything but the meeting filled in, in lower case because some file systems ignore case. */
function fillArchivePattern(archive: ArchiveOptions): string {
  const pattern = choosePattern(archive)
    .replaceAll('{template}', archive.template ?? 'default')
    .toLowerCase();
  return pattern.includes('{time}') ? `${archive.timezone ?? ''} ${pattern}` : pattern;
}

function describeContent({ template, includeReport, includeTasks, timezone }: ArchiveOptions): string {
  return JSON.stringify([template, includeReport, includeTasks, timezone]);
}
