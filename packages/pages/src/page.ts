import { html, Markup } from './html.ts';

/** No script runs, nothing is loaded. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'";

export interface Page {
  readonly title: string;
  /** One line under the title. */
  readonly lead?: string | undefined;
  readonly body: Markup;
  /** Above the title. */
  readonly nav?: Markup | undefined;
  /** The address of `pageStyle`, for pages whose policy allows no style in them. */
  readonly styleAddress?: string | undefined;
  /** The address of a script, for pages whose policy allows one. */
  readonly scriptAddress?: string | undefined;
  /** A file has no headers, so it holds its policy itself. */
  readonly isFile?: boolean;
}

/** A complete page as text. */
export function renderPage(page: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${page.isFile === true && html`<meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />`}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        ${
          page.styleAddress === undefined
            ? html`<style>
                ${new Markup([pageStyle], [])}
              </style>`
            : html`<link rel="stylesheet" href="${page.styleAddress}" />`
        }
        ${page.scriptAddress !== undefined && html`<script src="${page.scriptAddress}" defer></script>`}
      </head>
      <body>
        ${page.nav}
        <main>
          <h1>${page.title}</h1>
          ${page.lead !== undefined && html`<p class="lead">${page.lead}</p>`} ${page.body}
        </main>
      </body>
    </html>`.text;
}

/** The style sheet of every page: system font, one column, light and dark by the reader's setting. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1d2128; --soft: #626b78; --line: #e2e5ea; --ground: #f6f7f9; --card: #fff;
  --accent: #2f5fd0; --good: #18794e; --bad: #c0342b; --wait: #8f6000; --mark: #eef2fb; --field: #868e99; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --soft: #98a1ae; --line: #2d333c; --ground: #14171b;
  --card: #1c2026; --accent: #8aaeff; --good: #56c990; --bad: #ff8a80; --wait: #e3b341; --mark: #232a36; --field: #6f7885; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 720px; margin: 0 auto; padding: 40px 20px 72px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 1.05rem; margin: 36px 0 12px; }
h3 { font-size: 1rem; margin: 20px 0 4px; }
p { margin: 0 0 10px; }
a { color: var(--accent); text-underline-offset: 2px; }
ul, ol { margin: 0 0 10px; padding-left: 1.4em; }
hr { border: 0; border-top: 1px solid var(--line); margin: 14px 0; }
code { font: 0.88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--mark); padding: 1px 5px; border-radius: 4px; }
pre { font: 0.85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--mark); padding: 12px 14px;
  border-radius: 8px; white-space: pre-wrap; margin: 0 0 10px; }
blockquote { margin: 0 0 10px; padding-left: 14px; border-left: 3px solid var(--line); color: var(--soft); }
details { margin: 0 0 10px; }
summary { cursor: pointer; }
.lead, .soft { color: var(--soft); }
.lead { margin-bottom: 28px; }
.small { font-size: 0.85rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px 20px; margin: 0 0 14px; }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.row { display: flex; gap: 10px; align-items: baseline; flex-wrap: wrap; }
.row > .end { margin-left: auto; }
.row form { display: inline; }
.row > h3 { margin: 0; }
.row > .buttons { display: flex; margin: 0; }
.head { flex-wrap: nowrap; margin-bottom: 6px; }
.callout { background: var(--mark); border-radius: 8px; padding: 12px 16px; margin: 0 0 10px; }
.callout > :last-child { margin-bottom: 0; }
.pill { font-size: 0.78rem; font-weight: 600; padding: 1px 9px; border-radius: 999px; background: var(--mark); color: var(--soft); white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.buttons { display: flex; gap: 8px; flex-wrap: wrap; margin: 10px 0; }
button, .button { font: inherit; font-size: 0.88rem; font-weight: 600; color: var(--ink); background: var(--card); text-decoration: none;
  border: 1px solid var(--field); border-radius: 8px; padding: 4px 12px; cursor: pointer; }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--card); }
nav { margin-bottom: 10px; }
.fields { display: flex; gap: 10px 14px; flex-wrap: wrap; align-items: end; margin: 10px 0; }
label { display: grid; gap: 3px; flex: 1 1 200px; font-size: 0.85rem; color: var(--soft); }
label.short { flex: 0 1 180px; }
input, select { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--field); border-radius: 8px;
  padding: 3px 8px; width: 100%; min-width: 0; height: 2.1rem; }
progress { width: 100%; accent-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[id] { scroll-margin-top: 16px; }
.card:target { border-color: var(--accent); }
.plain { list-style: none; }
.plain > li + li { margin-top: 12px; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; margin: 0 0 12px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; white-space: nowrap; }
iframe { width: 100%; height: 560px; border: 1px solid var(--line); border-radius: 8px; background: #fff; resize: vertical; }
.empty { text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 12px; padding: 40px 20px; }
.empty > :last-child { margin-bottom: 0; }
.empty + details { margin-top: 14px; }
.empty .buttons { justify-content: center; }
.box { white-space: pre-wrap; margin: 0 0 10px; }
.check { list-style: none; padding-left: 0; }
`;
