import type { TextTree } from '../text/text-tree.ts';
import { type Fitted, fitItems } from './fit-html.ts';
import { type Html, htmlItem } from './html-tree.ts';
import { colors } from './mail-style.ts';

const begin =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;table-layout:fixed;margin:0 0 8px">';
const end = '</table>';

/** What was decided, each behind a mark of its own; as many as fit into `room` bytes. */
export function htmlDecisions(decisions: readonly TextTree[], room: number): Fitted {
  const fitted = fitItems(decisions, htmlDecision, room - begin.length - end.length - 2);
  if (fitted.html === '') return { html: '', bytes: 0, isCut: decisions.length > 0 };
  const html = `${begin}\n${fitted.html}\n${end}`;
  return { html, bytes: Buffer.byteLength(html), isCut: fitted.isCut };
}

function htmlDecision(decision: TextTree): Html {
  return `<tr><td class="am-accent" width="26" valign="top" style="width:26px;padding:4px 0;font-weight:700;color:${colors.accent}">✓</td><td dir="auto" valign="top" style="padding:4px 0">${htmlItem(decision)}</td></tr>`;
}
