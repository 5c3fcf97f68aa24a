/**
 * The looks of a mail. Gmail and Outlook keep inline styles, so each element carries its own for a light page; readers
 * that know `prefers-color-scheme` take the colours of a dark one from the class. Every text has a contrast of at least
 * 4.5:1 on its ground, light and dark (WCAG 2.2, 1.4.3).
 */
export const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** A word that is longer than the column breaks, so that a phone never scrolls sideways. */
export const breakWords = 'word-break:break-word;overflow-wrap:anywhere';

export const colors = {
  page: '#eef0f3',
  card: '#ffffff',
  text: '#1d2229',
  muted: '#57606c',
  accent: '#1f5fbf',
  onAccent: '#ffffff',
  line: '#d9dde3',
  soft: '#f4f6f8',
} as const;

/** What the style block alone can do: dark colours, and a table that becomes lines on a phone. */
export const styleBlock = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){
.am-page{padding:0!important}
.am-card{padding:24px 16px!important;border-radius:0!important}
.am-tasks thead{display:none!important}
.am-tasks tr{display:block!important;padding:10px 0!important;border-bottom:1px solid ${colors.line}!important}
.am-tasks td{display:block!important;width:auto!important;padding:0!important;border:0!important}
.am-tasks .am-side{display:inline!important;padding:0 12px 0 0!important}
}
@media (prefers-color-scheme:dark){
.am-page{background:#0f1216!important;background-color:#0f1216!important}
.am-card{background:#191d23!important;background-color:#191d23!important;border-color:#2d333c!important}
.am-text{color:#e7eaee!important}
.am-muted{color:#a9b2bd!important}
.am-accent,.am-text a,.am-muted a{color:#8ab6f9!important}
.am-button,.am-button a{background:#8ab6f9!important;background-color:#8ab6f9!important;color:#0c1f3d!important}
.am-line{border-color:#2d333c!important}
.am-soft{background:#22272f!important;background-color:#22272f!important}
.am-tasks tr{border-color:#2d333c!important}
}`;
