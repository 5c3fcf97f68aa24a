import { html, type Markup, pageStyle, renderPage } from '@aftermeet/pages';
import type { Log } from '@aftermeet/queue';
import type { RequestHandler, Router } from 'express';

import { limitAtOnce } from '../limit-at-once.ts';
import type { ConsoleData } from './console-data.ts';
import { consoleStyle, misleading } from './frame.ts';

/** What the pages behind links in mails need. */
export interface LinkPageTools {
  readonly readData: () => Promise<ConsoleData>;
  readonly log: Log;
}

/** Of people without a session: many here take nothing from the deliveries. */
const MAX_AT_ONCE = 8;

/** What pages behind links in mails share: their style, how they look, and how many are answered at once. They lead nowhere else. */
export interface LinkPage {
  /** Taken once the body is there: who sends one slowly takes no place. */
  readonly takePlace: RequestHandler;
  readonly render: (title: string, body: Markup) => string;
  readonly renderSentence: (title: string, sentence: string) => string;
}

/** `address` is where the router is mounted, such as `/approve`. */
export function createLinkPage(router: Router, address: string): LinkPage {
  const render = (title: string, body: Markup): string =>
    renderPage({ title, styleAddress: `${address}/style.css`, body }).replaceAll(misleading, '');
  const renderSentence = (title: string, sentence: string): string =>
    render(title, html`<p role="status">${sentence}</p>`);
  router.get('/style.css', (_request, response) => {
    response.set({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'max-age=300' });
    response.send(`${pageStyle}${consoleStyle}`);
  });
  const takePlace = limitAtOnce(MAX_AT_ONCE, (response) => {
    response.send(renderSentence('Busy', 'Too many requests at once: try again in a second.'));
  });
  return { takePlace, render, renderSentence };
}
