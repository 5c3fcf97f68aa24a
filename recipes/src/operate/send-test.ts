import type { Report } from '@aftermeet/client';

import { locateSent, openDestinations, settlePolicies } from '../destinations/index.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { EndpointRecipes } from '../engine/conditions/match-recipes.ts';
import type { PolicyChanges } from '../engine/limits/policy.ts';
import type { BoundRecipe, ConfiguredRecipe } from '../engine/recipe.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import {
  type PreviewedEffect,
  previewEffects,
  previewSources,
  writeTestEvent,
} from '../preview/preview-recipes.ts';
import { createPeopleDirectory } from '../report/people-directory.ts';
import type { OperatorTools } from './operator-tools.ts';

export interface TestRequest {
  /** Name of the recipe. */
  readonly name: string;
  /** Takes part in the meeting of the test and has a task there; absent: no person does. */
  readonly to?: string | undefined;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  readonly endpointRecipes?: EndpointRecipes | undefined;
  readonly policies: PolicyChanges;
  /** In place of the key of an effect: nothing is recorded. */
  readonly key: string;
}

export type TestOutcome =
  | {
      readonly kind: 'sent';
      readonly destination: string;
      readonly target: string;
      readonly reference: string;
      /** Where a person sees it, if it has an address. */
      readonly url?: string | undefined;
    }
  | { readonly kind: 'failed'; readonly destination: string; readonly target: string; readonly cause: string }
  | { readonly kind: 'unknown_recipe'; readonly names: readonly string[] }
  /** The recipe sends nothing of such a meeting; `cause`: why, as far as it says. */
  | { readonly kind: 'no_message'; readonly cause?: string | undefined };

/**
 * Sends the first message that a recipe makes of a meeting that is marked as a test, at once and by this process. Nothing is
 * recorded, no condition counts, and nothing waits for approval. The suppression list is obeyed.
 */
export async function sendTestMessage(
  request: TestRequest,
  tools: Pick<OperatorTools, 'clock' | 'listSuppressions'>,
): Promise<TestOutcome> {
  const { name, to, recipes, destinations, endpointRecipes, policies, key } = request;
  const takingAll = recipes.map((each) => (each.name === name ? { ...each, when: {} } : each));
  const bound = bindRecipes(takingAll, destinations, endpointRecipes);
  const recipe = bound.find((each) => each.name === name);
  if (recipe === undefined) return { kind: 'unknown_recipe', names: bound.map((each) => each.name) };
  const planned = await planTest(recipe, { to, nowMs: tools.clock(), people: destinations.people });
  const connectors = openDestinations(destinations, {
    policies: settlePolicies(policies, destinations),
    clock: tools.clock,
  });
  try {
    const found = planned.find(
      ({ rendered, target }) =>
        rendered !== undefined &&
        (to === undefined || includesAddress(connectors.readRecipients?.(rendered, target) ?? [], to)),
    );
    if (found?.rendered === undefined) {
      return { kind: 'no_message', cause: planned.find(({ skipped }) => skipped !== undefined)?.skipped };
    }
    const { rendered, target } = found;
    const at = { destination: rendered.destination, target };
    const recipients = connectors.readRecipients?.(rendered, target) ?? [];
    const suppressed = (await tools.listSuppressions()).filter(({ meetingId }) => meetingId === undefined);
    if (suppressed.some(({ address }) => includesAddress(recipients, address))) {
      return { kind: 'failed', ...at, cause: 'its recipient is on the suppression list' };
    }
    const preparation = await connectors.prepare(rendered, { effectKey: key, target });
    if (preparation.result !== 'ready') return { kind: 'failed', ...at, cause: preparation.cause };
    const sent = await preparation.prepared.send();
    if (sent.result !== 'sent') return { kind: 'failed', ...at, cause: sent.cause };
    const located = await locateSent(rendered.destination, sent.reference, destinations);
    return {
      kind: 'sent',
      ...at,
      reference: sent.reference,
      ...(located?.ok === true ? { url: located.url } : {}),
    };
  } finally {
    await connectors.close();
  }
}

function includesAddress(addresses: readonly string[], wanted: string): boolean {
  return addresses.some((address) => address.toLowerCase() === wanted.toLowerCase());
}

async function planTest(
  recipe: BoundRecipe,
  {
    to,
    nowMs,
    people,
  }: { readonly to: string | undefined; readonly nowMs: number; readonly people: Destinations['people'] },
): Promise<readonly PreviewedEffect[]> {
  const report = writeTestReport(recipe.name, to, nowMs);
  const { tools } = previewSources(report, recipe, nowMs, createPeopleDirectory(people));
  const { effects } = await previewEffects(recipe, writeTestEvent(recipe, report, nowMs), tools);
  return effects;
}

const TEST_PERSON = 'Test recipient';

/** A short meeting that says of itself that it is a test. */
function writeTestReport(name: string, to: string | undefined, nowMs: number): Report {
  const at = new Date(nowMs).toISOString();
  return {
    meetingId: 'm_test',
    title: `Test of the recipe ${name}`,
    startedAt: at,
    endedAt: at,
    durationSeconds: 60,
    isTranscriptEmpty: false,
    participants: to === undefined ? [] : [{ name: TEST_PERSON, email: to }],
    speakers: [],
    summary: `This is a test of the recipe ${name}: no meeting took place. It shows where its messages go and how they look.`,
    decisions: ['A decision stands here'],
    tasks: [
      {
        text: 'A task stands here, and nothing has to be done',
        ...(to === undefined ? {} : { owner: TEST_PERSON }),
      },
    ],
    transcript: [{ speaker: TEST_PERSON, text: 'This is a test.', startSeconds: 0, endSeconds: 2 }],
    chapters: [],
    templates: [],
    keywords: [],
    tags: [],
    warnings: [],
    raw: undefined,
  };
}
