import { resolve } from 'node:path';

import type { Report } from '@aftermeet/client';
import { suggestName } from '@aftermeet/contract';
import {
  checkConfiguredRecipe,
  type ConfiguredRecipe,
  previewRecipes,
  type RecipePreview,
} from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { pasteWord, quoteWord } from '../quote-word.ts';
import { withService } from '../service/with-service.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { recipeProblems } from '../settings/require-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { createPaint } from '../terminal/paint.ts';
import { WrongUse, wrongSettings } from '../wrong-use.ts';
import { renderPreviewPage } from './preview-page.ts';
import { formatPreviews } from './preview-text.ts';
import { viewPreview } from './preview-view.ts';
import { savePage } from './save-page.ts';

export interface PreviewOptions {
  readonly recipe?: readonly string[];
  readonly event: 'meeting.completed' | 'meeting.failed';
  readonly endpoint?: string;
  /** A file; true: one named after the meeting. */
  readonly html?: string | true;
  readonly json?: boolean;
  readonly config?: string;
}

/** What `aftermeet recipes preview` does. */
export async function showPreview(
  context: Context,
  meetingId: string,
  options: PreviewOptions,
): Promise<void> {
  const settings = await loadSettings(context.environment, options.config);
  const recipes = chooseRecipes(settings, options.recipe);
  checkEndpoint(settings, options.endpoint);
  const report = await fetchReport(context, meetingId, options);
  const previews = await previewRecipes({
    recipes,
    destinations: settings.destinations,
    endpointRecipes: settings.endpointRecipes,
    endpoints: [...settings.endpoints.byName.keys()],
    meetingId,
    eventKind: options.event,
    nowMs: (context.clock ?? Date.now)(),
    ...dropAbsent({ report, endpoint: options.endpoint }),
  });
  const title = cleanLine(report?.title ?? '') || meetingId;
  if (options.html !== undefined) await writePage(context, meetingId, { title, previews, options });
  else if (options.json === true) context.write(formatJson(previews.map(viewPreview)));
  else {
    const paint = createPaint(context.isTerminal);
    context.write(`${title}: ${options.event}. Nothing is sent.\n\n${formatPreviews(previews, paint)}`);
  }
}

function chooseRecipes(settings: Settings, names: readonly string[] = []): readonly ConfiguredRecipe[] {
  const { recipes, destinations } = settings;
  const known = recipes.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) {
    const expected = known.length === 0 ? 'there are no recipes' : suggestName(missing, known);
    throw new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(missing))}: ${expected}\n`);
  }
  const chosen = names.length === 0 ? recipes : recipes.filter(({ name }) => names.includes(name));
  const problems =
    chosen.length === 0
      ? recipeProblems(settings)
      : chosen.flatMap((recipe) => checkConfiguredRecipe(recipe, destinations));
  if (problems.length > 0) throw wrongSettings(problems);
  return chosen;
}

function checkEndpoint({ endpoints: { byName } }: Settings, endpoint: string | undefined): void {
  if (endpoint === undefined || byName.has(endpoint) || byName.size === 0) return;
  const expected = suggestName(endpoint, [...byName.keys()]);
  throw new WrongUse(`There is no endpoint ${JSON.stringify(cleanLine(endpoint))}: ${expected}\n`);
}

/** Of a meeting that has failed there is none. */
async function fetchReport(
  context: Context,
  meetingId: string,
  { event, json }: PreviewOptions,
): Promise<Report | undefined> {
  const answer = await withService(context, { json, meetingId }, ({ client, call }) =>
    client.reports.get(meetingId, call),
  );
  if (answer.ready) return answer.report;
  if (event === 'meeting.failed') return undefined;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_ready',
    message: `The report is not ready: the service says ${cleanLine(answer.status)}.`,
    advice: `Wait for it: aftermeet report get ${pasteWord(meetingId)} --wait. What a failed meeting causes shows --event meeting.failed.`,
    retryable: true,
  });
}

interface PreviewPage {
  readonly title: string;
  readonly previews: readonly RecipePreview[];
  readonly options: PreviewOptions;
}

async function writePage(
  context: Context,
  meetingId: string,
  { title, previews, options }: PreviewPage,
): Promise<void> {
  const usual = `aftermeet-preview-${meetingId.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.html`;
  const isNamed = typeof options.html === 'string';
  const file = resolve(typeof options.html === 'string' ? options.html : usual);
  await savePage(file, renderPreviewPage(title, previews), { isNamed });
  context.write(options.json === true ? formatJson({ file }) : `Written: ${quoteWord(file)}\n`);
}
