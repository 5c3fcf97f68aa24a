import { listRenderedLines, type PreviewedEffect, type RecipePreview } from '@aftermeet/recipes';
import { html, type Markup, renderPage } from '@aftermeet/sandbox';

import { renderNotionMessage, renderSlackMessage } from './message-markup.ts';
import { describeCut, describeTarget, isDraft } from './preview-view.ts';

const lead = 'What the recipes would send. Nothing was sent.';

/** One page, complete in itself, with each message as its reader would see it. It loads nothing. */
export function renderPreviewPage(meeting: string, previews: readonly RecipePreview[]): string {
  return renderPage({
    title: `Preview of ${meeting}`,
    lead,
    body: html`${previews.map(renderRecipe)}`,
    isFile: true,
  });
}

/** Whether a text is such a page. */
export function isPreviewPage(text: string): boolean {
  return text.includes(`<p class="lead">${lead}</p>`);
}

function renderRecipe(preview: RecipePreview): Markup {
  const { name, use, isWanted, conditions, effects } = preview;
  return html`<h2>
      ${name}
      <span class="pill ${isWanted ? 'good' : 'wait'}"
        >${isWanted ? 'takes this meeting' : 'does not take this meeting'}</span
      >
    </h2>
    <p class="soft small">${use}</p>
    <ul class="small">
      ${conditions.map(
        ({ condition, holds }) =>
          html`<li>
            <span class="${holds === true ? 'good' : 'bad'}">${nameAnswer(holds)}</span> ${condition}
          </li>`,
      )}
    </ul>
    ${effects.map((effect) => renderEffect(effect, preview))}
    ${preview.isCut && html`<p class="bad">${describeCut(preview)}</p>`}`;
}

function nameAnswer(holds: boolean | undefined): string {
  if (holds === undefined) return 'not known';
  return holds ? 'yes' : 'no';
}

function renderEffect(effect: PreviewedEffect, preview: RecipePreview): Markup {
  return html`<article class="card">
    <p class="row small soft">
      <strong>${describeTarget(effect, preview)}</strong>
      ${isDraft(effect) && html`<span class="pill bad">draft: sent once somebody approves of it</span>`}
    </p>
    ${effect.skipped !== undefined && html`<p class="soft">Nothing: ${effect.skipped}</p>`}
    ${effect.rendered !== undefined && renderMessage(effect.rendered)}
  </article>`;
}

function renderMessage(rendered: NonNullable<PreviewedEffect['rendered']>): Markup {
  switch (rendered.destination) {
    case 'slack':
      return renderSlackMessage(rendered.message);
    case 'notion':
      return renderNotionMessage(rendered.message, listPageFacts(listRenderedLines(rendered)));
    case 'email':
      return renderMail(rendered.message, listRenderedLines(rendered));
    case 'http':
    case 'folder':
    case 'service':
    default:
      return html`<pre>${listRenderedLines(rendered).join('\n')}</pre>`;
  }
}

/** The lines in front of the blocks, but for the title. */
function listPageFacts(lines: readonly string[]): readonly string[] {
  const end = lines.indexOf('');
  return lines.slice(1, end === -1 ? undefined : end);
}

/** A sandboxed frame runs no script, sends no form and, under the page's own policy, loads nothing. */
function renderMail(
  { subject, html: body }: { readonly subject: string; readonly html: string },
  lines: readonly string[],
): Markup {
  return html`<h3>${subject}</h3>
    <iframe sandbox="" title="The mail" srcdoc="${body}"></iframe>
    <details class="small">
      <summary>As plain text</summary>
      <pre>${lines.join('\n')}</pre>
    </details>`;
}
