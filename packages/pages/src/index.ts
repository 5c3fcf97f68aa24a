export { html, Markup } from './html.ts';
export { type LooseObject, toObject, toObjects, toText } from './loose-json.ts';
export { type NotionBlock, renderNotionBlocks } from './notion-blocks.ts';
export { type Page, pageStyle, renderPage } from './page.ts';
export { renderSlackBlock } from './slack-blocks.ts';
