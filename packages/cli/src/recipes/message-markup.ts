import { type Rendered, showMentions } from '@aftermeet/recipes';
import { html, type Markup, renderNotionBlocks, renderSlackBlock } from '@aftermeet/sandbox';
import { z } from 'zod';

const partsSchema = z.record(z.string(), z.unknown());
type Parts = z.infer<typeof partsSchema>;
type SlackMessage = Extract<Rendered, { destination: 'slack' }>['message'];
type NotionMessage = Extract<Rendered, { destination: 'notion' }>['message'];

/** A Slack message as a reader of the channel sees it, with an @ in front of whoever is mentioned. */
export function renderSlackMessage(message: SlackMessage): Markup {
  const { text, person, file } = message;
  const blocks = showMentions(message);
  return html`${person !== undefined && html`<p class="small soft">To ${person.userId ?? person.email ?? 'nobody'}</p>`}
  ${file !== undefined && html`<p><span class="pill">${file.name}.${file.format}</span></p>`}
  ${
    blocks.length === 0
      ? html`<p class="box">${text}</p>`
      : html`${blocks.map(renderSlackBlock)}
          <details class="small soft">
            <summary>What a screen reader says</summary>
            <p class="box">${text}</p>
          </details>`
  }`;
}

/** A Notion page, or row, as its reader sees it: title, properties, blocks. */
export function renderNotionMessage({ title, blocks }: NotionMessage, facts: readonly string[]): Markup {
  return html`<h1>${title}</h1>
    <p class="small soft box">${facts.join('\n')}</p>
    ${renderNotionBlocks(readList(blocks).map(growBlock))}`;
}

/** A block as it is sent, in the shape of one that was read back. */
function growBlock(block: Parts): Parameters<typeof renderNotionBlocks>[0][number] {
  const type = readText(block['type']);
  const { children, ...content } = readParts(block[type]);
  const grown = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, growValue(name, value)]),
  );
  return { id: '', type, content: grown, children: readList(children ?? block['children']).map(growBlock) };
}

function growValue(name: string, value: unknown): unknown {
  if (name === 'rich_text' || name === 'caption') return readList(value).map(growRun);
  if (name === 'cells' && Array.isArray(value)) return value.map((cell) => readList(cell).map(growRun));
  return value;
}

/** What Notion answers names the words of a run and its address a second time. */
function growRun(run: Parts): Parts {
  const { content, link } = readParts(run['text']);
  const { url } = readParts(link);
  return { plain_text: content, ...(url === undefined ? {} : { href: url }), ...run };
}

function readParts(value: unknown): Parts {
  return partsSchema.safeParse(value).data ?? {};
}

function readList(value: unknown): readonly Parts[] {
  return Array.isArray(value) ? value.map(readParts) : [];
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
