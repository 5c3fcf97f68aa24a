import { hashTarget } from '../../engine/effect-key.ts';
import { en, type Words } from '../../words/en.ts';
import { readMailbox } from './mail-address.ts';
import { breakWords, colors, escapeHtml, type Html, htmlLink, htmlNote } from './mail-html.ts';
import type { MailSettings } from './settings.ts';

/** Maximum bytes of HTML. Gmail cuts at about 102 kB and hides the rest behind a link. */
export const MAX_PAGE_BYTES = 100_000;

/** Placeholder for notes that are added when the mail is sent. Report text cannot contain it, because text is escaped. */
export const noteSlot = '<!--am-note-->';

export interface MailPage {
  /** Small line above the title. */
  readonly eyebrow: string;
  readonly title: string;
  /** Preview line of an inbox. */
  readonly preheader: string;
  /** What came of it, right under the title. */
  readonly lead?: Html;
  /** Time, duration and people in one line; empty: none. */
  readonly facts: string;
  readonly sections: readonly Html[];
  readonly link?: string;
  /** Default: English. */
  readonly words?: Words;
  /** Default: Open the report. */
  readonly linkText?: string;
  readonly footer: Html;
}

/** 44 px high for touch; a table cell, so that Outlook shows it. */
function htmlButton(url: string, text: string): Html {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0"><tr><td class="am-button" height="44" align="center" bgcolor="${colors.accent}" style="height:44px;border-radius:8px;background-color:${colors.accent}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:0 24px;font-size:15px;font-weight:600;line-height:44px;color:${colors.onAccent};text-decoration:none;border-radius:8px"><!--[if mso]>&nbsp;&nbsp;&nbsp;&nbsp;<![endif]-->${escapeHtml(text)}<!--[if mso]>&nbsp;&nbsp;&nbsp;&nbsp;<![endif]--></a></td></tr></table>`;
}

/** Renders a whole mail: one column of 600 px, inline styles, light and dark; loads no images or other resources. */
export function htmlPage({
  eyebrow,
  title,
  preheader,
  lead,
  facts,
  sections,
  link,
  words = en,
  linkText = words.openReport,
  footer,
}: MailPage): Html {
  return `<!doctype html>
<html lang="${words.locale}">
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
${lead === undefined ? '' : `${lead}\n`}${facts === '' ? '' : htmlNote(facts)}
${sections.join('\n')}
${noteSlot}${link === undefined ? '' : htmlButton(link, linkText)}
<div class="am-line am-muted" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid ${colors.line};font-size:12px;line-height:1.5;color:${colors.muted}">${footer}</div>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

/**
 * The looks of a mail. Gmail and Outlook keep inline styles, so each element carries its own for a light page; readers
 * that know `prefers-color-scheme` take the colours of a dark one from the class. Every text has a contrast of at least
 * 4.5:1 on its ground, light and dark (WCAG 2.2, 1.4.3).
 */
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Styles that cannot be inline: dark colours, and tables that become lines on a phone. */
const styleBlock = `:root{color-scheme:light dark;supported-color-schemes:light dark}
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

/** Why the recipient gets the mail and how to unsubscribe, as text and HTML. */
export interface MailFooter {
  readonly text: string;
  readonly html: Html;
}

/** `reason` continues "You receive this mail because". Without an address there is no unsubscribe link. */
export function writeFooter(reason: string, unsubscribeUrl?: string): MailFooter {
  return writeFooterOf(`You receive this mail because ${reason}.`, unsubscribeUrl);
}

/** The same with the whole sentence. */
export function writeFooterOf(why: string, unsubscribeUrl?: string, { unsubscribe }: Words = en): MailFooter {
  if (unsubscribeUrl === undefined) return { text: `-- \n${why}\n`, html: escapeHtml(why) };
  return {
    text: `-- \n${why}\n${unsubscribe}: ${unsubscribeUrl}\n`,
    html: `${escapeHtml(why)} ${htmlLink(unsubscribeUrl, unsubscribe)}`,
  };
}

const RECIPIENT_PLACEHOLDER = '{recipient}';

/**
 * The unsubscribe address of a recipient: the configured one, with `{recipient}` replaced by the SHA-256 of the address in
 * lower case (RFC 8058 needs the recipient in the address; the hash keeps it private), or a mail to the sender.
 */
export function writeUnsubscribeUrl(
  { unsubscribeUrl, from }: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
  recipient: string,
): string {
  if (unsubscribeUrl !== undefined) {
    const url = unsubscribeUrl.replaceAll(RECIPIENT_PLACEHOLDER, hashTarget(recipient.toLowerCase()));
    // RFC 2369 2: addresses in headers are ASCII.
    return URL.canParse(url) ? new URL(url).href : url;
  }
  // RFC 6068 2: reserved characters of URLs are percent-encoded.
  const address = encodeURIComponent(readMailbox(from)?.address ?? '').replaceAll('%40', '@');
  return `mailto:${address}?subject=unsubscribe`;
}

/** The unsubscribe address of a mail that is rendered once for several recipients; never a personal one. */
export function writeSharedUnsubscribeUrl(settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>): string {
  return writeUnsubscribeUrl(isPersonal(settings) ? { from: settings.from } : settings, '');
}

/** The text with the receiver's own unsubscribe address in place of the mail to the sender, if it has one. */
export function insertUnsubscribeUrl(
  text: string,
  settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
  own: string | undefined,
  escape: (url: string) => string = (url) => url,
): string {
  if (own === undefined || settings.unsubscribeUrl !== undefined) return text;
  return text.replaceAll(escape(writeUnsubscribeUrl(settings, '')), () => escape(own));
}

/**
 * Unsubscribe headers (RFC 2369). One-click is offered only when the address identifies the recipient (RFC 8058 3.1), because
 * a click sends nothing else; any other address is a page. `own` is the receiver's address for this recipient, used where the
 * settings name none.
 */
export function listUnsubscribeHeaders(
  settings: Pick<MailSettings, 'unsubscribeUrl' | 'from'>,
  recipient: string,
  own?: string,
): Readonly<Record<string, string>> {
  const isOwn = own !== undefined && settings.unsubscribeUrl === undefined;
  return {
    'List-Unsubscribe': `<${isOwn ? own : writeUnsubscribeUrl(settings, recipient)}>`,
    ...(isOwn || isPersonal(settings) ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  };
}

function isPersonal({ unsubscribeUrl }: Pick<MailSettings, 'unsubscribeUrl'>): boolean {
  return unsubscribeUrl?.includes(RECIPIENT_PLACEHOLDER) === true;
}
