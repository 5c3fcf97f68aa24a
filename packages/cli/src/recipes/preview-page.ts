import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { describeError } from '@aftermeet/queue';
import {
  type BuiltInMessage,
  isBuiltInMessage,
  type PreviewedEffect,
  type RecipePreview,
  type Rendered,
  showMentions,
} from '@aftermeet/recipes';
import { html, type Markup, renderNotionBlocks, renderPage, renderSlackBlock } from '@aftermeet/sandbox';
import { z } from 'zod';

import { EXIT_FAILED, Failure, readErrorCode } from '../errors.ts';
import { formatJson } from '../terminal/format.ts';
import { quoteWord } from '../terminal/text.ts';
import { describeCut, describeTarget, isDraft } from './preview-text.ts';

type Message<Destination extends BuiltInMessage['destination']> = Extract<
  BuiltInMessage,
  { destination: Destination }
>['message'];

const lead = 'What the recipes would send. Nothing was sent.';

/** A self-contained page that shows each message as its reader would see it. It loads nothing. */
export function renderPreviewPage(meeting: string, previews: readonly RecipePreview[]): string {
  return renderPage({
    title: `Preview of ${meeting}`,
    lead,
    body: html`${previews.map(renderRecipe)}`,
    isFile: true,
  });
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
  const facts = { exitCode: EXIT_FAILED, code: 'not_written', message };
  return new Failure(advice === undefined ? facts : { ...facts, advice });
}

function renderRecipe(preview: RecipePreview): Markup {
  const { name, use, isWanted, conditions, effects, refused } = preview;
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
    ${effects.map((effect) => renderEffect(effect, preview))}
    ${refused !== undefined && html`<p class="bad">${refused.text}</p>`}
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
      ${isDraft(effect) && html`<span class="pill bad">draft: sent after approval</span>`}
    </p>
    ${effect.skipped !== undefined && html`<p class="soft">Nothing: ${effect.skipped}</p>`}
    ${effect.rendered !== undefined && renderMessage(effect.rendered)}
  </article>`;
}

function renderMessage(rendered: Rendered): Markup {
  if (!isBuiltInMessage(rendered)) return html`<pre>${formatJson(rendered.message)}</pre>`;
  switch (rendered.destination) {
    case 'slack':
      return renderSlackMessage(rendered.message);
    case 'notion':
      return renderNotionMessage(rendered.message);
    case 'email':
      return renderMail(rendered.message);
    case 'http':
      return html`<pre>${formatBody(rendered.message.body)}</pre>`;
    case 'folder':
    default:
      return html`<pre>${formatJson(rendered.message)}</pre>`;
  }
}

/** Indents a JSON body; shows any other body as it is sent. */
export function formatBody(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  return formatJson(value);
}

/** A Slack message as a reader of the channel sees it, with an @ before mentioned people. */
function renderSlackMessage(message: Message<'slack'>): Markup {
  const { text, person, file, shared, ownBlocks } = message;
  const blocks = showMentions(message);
  const to = person?.userId ?? person?.email ?? 'an unknown person';
  return html`${person !== undefined && html`<p class="small soft">To ${to}</p>`}
  ${
    shared !== undefined &&
    html`<p class="small soft">Without the parts of people who can be written to directly</p>`
  }
  ${file !== undefined && html`<p><span class="pill">${file.name}.${file.format}</span></p>`}
  ${ownBlocks !== undefined && html`<pre>${formatJson(ownBlocks)}</pre>`}
  ${
    blocks.length === 0 || ownBlocks !== undefined
      ? html`<p class="box">${text}</p>`
      : html`${blocks.map(renderSlackBlock)}
          <details class="small soft">
            <summary>What a screen reader says</summary>
            <p class="box">${text}</p>
          </details>`
  }`;
}

/** A Notion page or row as its reader sees it: title, properties, blocks. */
function renderNotionMessage({ title, fields, blocks }: Message<'notion'>): Markup {
  const properties = Object.entries(fields).map(([name, value]) => `${name}: ${formatField(value)}`);
  return html`<h1>${title}</h1>
    <p class="small soft box">${properties.join('\n')}</p>
    ${renderNotionBlocks(asList(blocks).map(toReadBlock))}`;
}

/** A sandboxed frame runs no script, sends no form and, under the page's policy, loads nothing. */
function renderMail({ subject, text, html: body, attach = [], calendar = [] }: Message<'email'>): Markup {
  const dates = calendar.map(({ date, summary }) => `${date} ${summary}`);
  return html`<h3>${subject}</h3>
    ${attach.length > 0 && html`<p class="small soft">Attached: ${attach.join(', ')}</p>`}
    ${dates.length > 0 && html`<p class="small soft box">Calendar: ${dates.join('\n')}</p>`}
    <iframe sandbox="" title="The mail" srcdoc="${body}"></iframe>
    <details class="small">
      <summary>As plain text</summary>
      <pre>${text}</pre>
    </details>`;
}

const fieldsSchema = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof fieldsSchema>;

/** The value of a property of any type. */
function formatField(value: unknown): string {
  const { text, start, end, words, number, names, url, name, title } = asFields(value);
  const dates = [asText(start), asText(end)].filter((date) => date !== '').join(' – ') || undefined;
  const found = text ?? dates ?? words ?? number ?? names ?? name ?? title ?? url;
  return [found].flat().map(asText).join(', ');
}

/** Converts a block as it is sent to a block as Notion returns it. */
function toReadBlock(block: Fields): Parameters<typeof renderNotionBlocks>[0][number] {
  const type = asText(block['type']);
  const { children, ...content } = asFields(block[type]);
  const converted = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, toReadValue(name, value)]),
  );
  return {
    id: '',
    type,
    content: converted,
    children: asList(children ?? block['children']).map(toReadBlock),
  };
}

function toReadValue(name: string, value: unknown): unknown {
  if (name === 'rich_text' || name === 'caption') return asList(value).map(toReadText);
  if (name === 'cells' && Array.isArray(value)) return value.map((cell) => asList(cell).map(toReadText));
  return value;
}

/** Notion returns the words of a rich text and its address a second time. */
function toReadText(richText: Fields): Fields {
  const { content, link } = asFields(richText['text']);
  const { url } = asFields(link);
  return { plain_text: content, ...(url === undefined ? {} : { href: url }), ...richText };
}

function asFields(value: unknown): Fields {
  return fieldsSchema.safeParse(value).data ?? {};
}

function asList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(asFields) : [];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
