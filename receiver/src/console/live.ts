import type { Request, Response } from 'express';

/** Pages that are told at once; one more is answered 503, and shows what it showed when it was loaded. */
const MAX_PAGES = 50;
/** How soon a receiver that stops lets go of the pages. */
const CLOSING_MS = 250;
/** A page asks anew after this, so that a session that is over ends it too. */
const MAX_MS = 10 * 60 * 1000;

interface LiveTools {
  /** A text that is another one when something has changed. */
  readonly readMark: () => Promise<string>;
  readonly isClosing: () => boolean;
  /** How often it is looked whether something has changed, as long as a page is open. Default 5000. */
  readonly lookMs?: number;
}

/** Server-sent events for the pages that are open: `change`, when they should be read again. */
export function createLiveUpdates({ readMark, isClosing, lookMs = 5000 }: LiveTools) {
  const pages = new Set<Response>();
  let mark: string | undefined;
  let looking: NodeJS.Timeout | undefined;
  let closing: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    // While the store is away nothing can be said to have changed.
    const next = await readMark().catch(() => mark);
    if (next !== mark && mark !== undefined) for (const page of pages) page.write('event: change\ndata:\n\n');
    mark = next;
    if (pages.size > 0) looking = setTimeout(() => void look(), lookMs).unref();
    else mark = looking = undefined;
  }
  function endIfClosing(): void {
    if (isClosing()) for (const page of pages) page.end();
    if (pages.size > 0) closing = setTimeout(endIfClosing, CLOSING_MS).unref();
    else closing = undefined;
  }

  return (request: Request, response: Response): void => {
    if (pages.size >= MAX_PAGES || isClosing()) {
      response.status(503).set('Retry-After', '10').end();
      return;
    }
    response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    response.write('retry: 10000\n\n');
    pages.add(response);
    const end = setTimeout(() => response.end(), MAX_MS).unref();
    // A sender may close its half and wait for an answer; a page that has done so is gone.
    const leave = (): void => void response.end();
    const { socket } = request;
    socket.once('end', leave);
    response.once('close', () => {
      clearTimeout(end);
      socket.off('end', leave);
      pages.delete(response);
    });
    looking ??= setTimeout(() => void look(), 0).unref();
    closing ??= setTimeout(endIfClosing, CLOSING_MS).unref();
  };
}

/** The header of a page that is read again by itself: it does not keep a session alive. */
export const LIVE_HEADER = 'x-aftermeet-live';

/**
 * The script of the pages that change. It reads the page again and puts its content in place of the old one, but not while
 * somebody is in it with the keyboard or marks text. A page in the background keeps no connection: browsers have six for all.
 */
export const liveScript = `
const content = () => document.getElementById('content');
let isDue = false;
let source;
const isInUse = () => document.hidden || content().contains(document.activeElement) || !getSelection().isCollapsed;
async function update() {
  if (!isDue || isInUse()) return;
  isDue = false;
  const answer = await fetch(location.href, { headers: { '${LIVE_HEADER}': '1' } });
  if (!answer.ok || answer.redirected) return source.close();
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.getElementById('content');
  if (next && !isInUse()) content().replaceWith(next);
}
const later = () => void update().catch(() => { isDue = true; });
const changed = () => { isDue = true; later(); };
function follow() {
  source?.close();
  if (document.hidden) return;
  source = new EventSource('/console/changes');
  source.addEventListener('change', changed);
}
follow();
document.addEventListener('visibilitychange', () => { follow(); changed(); });
for (const name of ['focusout', 'selectionchange']) document.addEventListener(name, () => setTimeout(later));
`;
