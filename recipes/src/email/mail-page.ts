import { escapeHtml } from './escape-html.ts';
import type { Html } from './html-tree.ts';
import { breakWords, colors, font, styleBlock } from './mail-style.ts';

export type { Html } from './html-tree.ts';

/** Bytes of a mail's HTML. Gmail cuts at about 102 kB and hides the rest behind a link. */
export const pageLimit = 100_000;

/** Where a line is put in that is only known when the mail leaves; hostile text cannot hold it, because it is escaped. */
export const noteSlot = '<!--am-note-->';

export interface MailPage {
  /** Above the title, small. */
  readonly eyebrow: string;
  readonly title: string;
  /** What an inbox shows behind the subject. */
  readonly preheader: string;
  /** Time, duration, people in one line; empty: no such line. */
  readonly facts: string;
  readonly sections: readonly Html[];
  readonly link?: string;
  readonly footer: Html;
}

export function htmlHeading(text: string): Html {
  return `<h2 dir="auto" style="margin:28px 0 10px;font-size:18px;line-height:1.3;font-weight:650">${escapeHtml(text)}</h2>`;
}

export function htmlNote(text: string): Html {
  return `<p class="am-muted" dir="auto" style="margin:0 0 8px;font-size:13px;color:${colors.muted}">${escapeHtml(text)}</p>`;
}

/** Text of our own; line breaks stay. */
export function htmlText(plain: string): Html {
  const lines = plain.split('\n').map(escapeHtml);
  return `<p dir="auto" style="margin:0 0 12px">${lines.join('<br>')}</p>`;
}

export function htmlLink(url: string, text: string): Html {
  return `<a class="am-accent" href="${escapeHtml(url)}" style="color:${colors.accent}">${escapeHtml(text)}</a>`;
}

/** 44 px high, so that a thumb hits it; made of a table cell, so that Outlook shows it too. */
function htmlButton(url: string, text: string): Html {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0"><tr><td class="am-button" height="44" align="center" bgcolor="${colors.accent}" style="height:44px;border-radius:8px;background-color:${colors.accent}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:0 24px;font-size:15px;font-weight:600;line-height:44px;color:${colors.onAccent};text-decoration:none;border-radius:8px"><!--[if mso]>&nbsp;&nbsp;&nbsp;&nbsp;<![endif]-->${escapeHtml(text)}<!--[if mso]>&nbsp;&nbsp;&nbsp;&nbsp;<![endif]--></a></td></tr></table>`;
}

/** A whole mail: one column of 600 px, inline styles, light and dark; no image and nothing to load. */
export function htmlPage({ eyebrow, title, preheader, facts, sections, link, footer }: MailPage): Html {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${styleBlock}
</style>
</head>
<body class="am-page" style="margin:0;padding:0;background-color:${colors.page}">
<div style="display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">${escapeHtml(preheader)}${'&#8199;&#847; '.repeat(20)}</div>
<table class="am-page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${colors.page}"><tr><td class="am-page" align="center" style="padding:32px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;table-layout:fixed"><tr><td class="am-card am-text am-line" align="left" style="padding:36px 40px;background-color:${colors.card};border:1px solid ${colors.line};border-radius:12px;text-align:start;color:${colors.text};${font};font-size:15px;line-height:1.55;${breakWords}">
<p class="am-accent" style="margin:0 0 6px;font-size:13px;font-weight:600;color:${colors.accent}">${escapeHtml(eyebrow)}</p>
<h1 dir="auto" style="margin:0 0 8px;font-size:24px;line-height:1.25;font-weight:700">${escapeHtml(title)}</h1>
${facts === '' ? '' : htmlNote(facts)}
${sections.join('\n')}
${noteSlot}${link === undefined ? '' : htmlButton(link, 'Open the report')}
<div class="am-line am-muted" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${colors.line};font-size:12px;line-height:1.5;color:${colors.muted}">${footer}</div>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
