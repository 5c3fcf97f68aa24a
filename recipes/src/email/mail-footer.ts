import { escapeHtml } from './escape-html.ts';
import type { Html } from './html-tree.ts';
import { htmlLink } from './mail-page.ts';

/** Why somebody gets a mail and how to get no more of them, as text and as HTML. */
export interface MailFooter {
  readonly text: string;
  readonly html: Html;
}

/** `reason` goes on from "You receive this mail because"; without an address nothing is said of unsubscribing. */
export function writeFooter(reason: string, unsubscribeUrl?: string): MailFooter {
  const why = `You receive this mail because ${reason}.`;
  if (unsubscribeUrl === undefined) return { text: `-- \n${why}\n`, html: escapeHtml(why) };
  return {
    text: `-- \n${why}\nUnsubscribe: ${unsubscribeUrl}\n`,
    html: `${escapeHtml(why)} ${htmlLink(unsubscribeUrl, 'Unsubscribe')}`,
  };
}
