import { escapeHtml } from './escape-html.ts';

const font = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** A section of a mail: HTML whose text is escaped already. */
export type Html = string;

export function htmlHeading(text: string): Html {
  return `<h2 style="margin:24px 0 8px;font-size:17px;line-height:1.3">${escapeHtml(text)}</h2>`;
}

export function htmlNote(text: string): Html {
  return `<p style="margin:0 0 8px;font-size:13px;opacity:.75">${escapeHtml(text)}</p>`;
}

export function htmlStrong(text: string): Html {
  return `<p style="margin:12px 0 4px"><strong>${escapeHtml(text)}</strong></p>`;
}

export function htmlLink(url: string, text: string): Html {
  return `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
}

/** Plain text with `•` bullets as paragraphs and lists. */
export function htmlText(plain: string): Html {
  return plain
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const item = /^( *)• (.+)$/.exec(line);
      if (item === null) return `<p style="margin:0 0 8px">${escapeHtml(line)}</p>`;
      const indent = 20 + Math.min((item[1] ?? '').length, 16) * 10;
      return `<p style="margin:0 0 4px ${indent}px;text-indent:-14px">• ${escapeHtml(item[2] ?? '')}</p>`;
    })
    .join('\n');
}

/** A whole mail: one column of 600 px, inline styles, light and dark; no image and nothing to load. */
export function htmlPage(title: string, sections: readonly Html[]): Html {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px"><tr><td align="left" style="${font};font-size:15px;line-height:1.5">
<h1 style="margin:0 0 8px;font-size:22px;line-height:1.25">${escapeHtml(title)}</h1>
${sections.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
