import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { html, type Markup, renderPage } from '@aftermeet/pages';
import { describeError } from '@aftermeet/queue';
import { drawMessage, type PreviewedEffect, type RecipePreview } from '@aftermeet/recipes';

import { EXIT_FAILED, Failure, readErrorCode } from '../errors.ts';
import { formatJson } from '../terminal/format.ts';
import { quoteWord } from '../terminal/text.ts';
import { describeCut, describeTarget, isDraft } from './preview-text.ts';

const lead = 'What the recipes would send. Nothing was sent.';

/** A self-contained page that shows each message as its reader would see it. It loads nothing. */
export async function renderPreviewPage(
  meeting: string,
  previews: readonly RecipePreview[],
): Promise<string> {
  const body = await renderPreviews(previews);
  return renderPage({ title: `Preview of ${meeting}`, lead, body, isFile: true });
}

/** What each recipe sees in a meeting, condition by condition, and would send. */
export async function renderPreviews(previews: readonly RecipePreview[]): Promise<Markup> {
  const recipes = await Promise.all(previews.map(renderRecipe));
  return html`${recipes}`;
}

/**
 * Saves a page that only its owner may read: a new file replaces an old one, because an overwritten file would keep its
 * permissions. Replaces only regular files, and under a default name (`isNamed` false) only an earlier preview. Throws
 * `Failure`.
 */
export async function savePreviewPage(
  file: string,
  page: string,
  { isNamed }: { readonly isNamed: boolean },
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.new`;
  try {
    if (!(await mayReplace(file, isNamed))) {
      const message = `Something else is at ${quoteWord(file)}: it is not replaced.`;
      throw notWritten(message, 'Name another file: --html FILE.');
    }
    await writeFile(temporary, page, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof Failure) throw error;
    throw notWritten(`The page can't be written: ${describeError(error)}.`);
  }
}

async function mayReplace(file: string, isNamed: boolean): Promise<boolean> {
  const found = await lstat(file).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return true;
  if (!found.isFile()) return false;
  return isNamed || (await readFile(file, 'utf8')).includes(`<p class="lead">${lead}</p>`);
}

function notWritten(message: string, advice?: string): Failure {
  const facts = { exitCode: EXIT_FAILED, code: 'file_system' as const, message };
  return new Failure(advice === undefined ? facts : { ...facts, advice });
}

async function renderRecipe(preview: RecipePreview): Promise<Markup> {
  const { name, use, isWanted, conditions, refused } = preview;
  const effects = await Promise.all(preview.effects.map((effect) => renderEffect(effect, preview)));
  return html`<h2>
      ${name}
      <span class="pill ${isWanted ? 'good' : 'wait'}"
        >${isWanted ? 'takes this meeting' : 'does not take this meeting'}</span
      >
    </h2>
    <p class="soft small">${use}</p>
    <ul class="small">
      ${conditions.map(
        ({ condition, holds, saw }) =>
          html`<li>
            <span class="${holds === true ? 'good' : 'bad'}">${nameAnswer(holds)}</span> ${condition}
            ${saw !== '' && html`<span class="soft">(${saw})</span>`}
          </li>`,
      )}
    </ul>
    ${effects} ${refused !== undefined && html`<p class="bad">${refused.text}</p>`}
    ${preview.isCut && html`<p class="bad">${describeCut(preview)}</p>`}`;
}

function nameAnswer(holds: boolean | undefined): string {
  if (holds === undefined) return 'not known';
  return holds ? 'yes' : 'no';
}

async function renderEffect(effect: PreviewedEffect, preview: RecipePreview): Promise<Markup> {
  const { rendered } = effect;
  const drawn = rendered === undefined ? undefined : await drawMessage(rendered);
  return html`<article class="card">
    <p class="row small soft">
      <strong>${describeTarget(effect, preview)}</strong>
      ${isDraft(effect) && html`<span class="pill bad">draft: sent after approval</span>`}
    </p>
    ${effect.skipped !== undefined && html`<p class="soft">Nothing: ${effect.skipped}</p>`}
    ${rendered !== undefined && (drawn ?? html`<pre>${formatJson(rendered.message)}</pre>`)}
  </article>`;
}
