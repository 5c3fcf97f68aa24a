export { html, Markup, type MarkupValue, renderLink } from './html.ts';
export { type LooseObject, toObject, toObjects, toText } from './loose-json.ts';
export { type NotionBlock, renderNotionBlocks, renderNotionIcon, renderNotionText } from './notion-blocks.ts';
export { type Page, pageHeaders, pageStyle, renderPage } from './page.ts';
export { renderMrkdwn, renderSlackBlock } from './slack-blocks.ts';
