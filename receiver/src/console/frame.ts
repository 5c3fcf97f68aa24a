import { html, type Markup, renderPage } from '@aftermeet/pages';

import { chartStyle } from './chart.ts';
import type { Session } from './sessions.ts';

/** What every page of the console shows around its content. */
export interface Frame {
  /** Absent: a request with a bearer, which gets no forms. */
  readonly session: Session | undefined;
  /** There is no `ADMIN_TOKEN`: the console answers to this machine alone. */
  readonly isOpen: boolean;
}

const STYLE_ADDRESS = '/console/style.css';

/** Style that only the console needs. */
export const consoleStyle = `${chartStyle}
body > nav { margin: 0; border-bottom: 1px solid var(--line); background: var(--card); }
body > nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; margin: 0 auto; padding: 12px 20px; max-width: 960px; }
body > nav .end { margin-left: auto; }
body > nav a[aria-current] { color: var(--ink); text-decoration: none; font-weight: 600; }
main { max-width: 960px; }
.notice { border-left: 3px solid var(--wait); padding: 4px 0 4px 14px; }
.lines { list-style: none; padding: 0; }
.lines > li { padding: 3px 0; }
.link { font: inherit; font-weight: 400; border: 0; padding: 0; background: none; color: var(--accent); text-decoration: underline; }
.card h2 { margin: 0 0 6px; }
figure { margin: 0 0 14px; }
.numbers { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; padding: 0; list-style: none; }
.numbers strong { display: block; font-size: 1.6rem; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 20px; }
`;

const places = [
  ['/console', 'Meetings'],
  ['/console/attention', 'Needs you'],
  ['/console/waiting', 'Waiting'],
  ['/console/approvals', 'Approvals'],
  ['/console/replay', 'Replay'],
  ['/console/recipes', 'Recipes'],
  ['/console/suppressed', 'Suppressed'],
  ['/console/overview', 'Overview'],
] as const;

interface PageParts {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly body: Markup;
  /** Its address, if it is one of the places. */
  readonly at?: string;
  /** It shows changes as they happen. */
  readonly isLive?: boolean;
}

export function page(
  { session, isOpen }: Frame,
  { title, lead, body, at, isLive = false }: PageParts,
): string {
  const nav = html`<a class="skip" href="#content">Skip to the content</a>
    <nav aria-label="Console">
      <ul>
        ${places.map(([address, name]) => {
          const current = address === at ? html` aria-current="page"` : html``;
          return html`<li><a href="${address}" ${current}>${name}</a></li>`;
        })}
        ${
          session !== undefined &&
          !isOpen &&
          html`<li class="end">
            <form method="post" action="/console/logout">
              ${formToken(session)}<button class="link">Log out</button>
            </form>
          </li>`
        }
      </ul>
    </nav>`;
  const notice =
    isOpen &&
    html`<p class="notice small">
      There is no ADMIN_TOKEN: the console answers to this machine alone. Set one to open it to others.
    </p>`;
  const text = renderPage({
    title,
    lead,
    styleAddress: STYLE_ADDRESS,
    scriptAddress: isLive ? '/console/live.js' : undefined,
    nav,
    body: html`<div id="content">${notice}${body}</div>`,
  });
  return text.replaceAll(misleading, '');
}

/** Marks that turn text around, and characters that show nothing. */
export const misleading = /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

export function formToken({ csrf }: Session): Markup {
  return html`<input type="hidden" name="form" value="${csrf}" />`;
}

/** The form that asks for `ADMIN_TOKEN`. `next`: the path that was asked for. */
export function renderLogin(problem: string | undefined, next: string): string {
  return renderPage({
    title: 'Log in',
    styleAddress: STYLE_ADDRESS,
    body: html`${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
      <form class="fields" method="post" action="/console/login">
        <input type="hidden" name="next" value="${next}" />
        <label
          >ADMIN_TOKEN <input name="token" type="password" autocomplete="current-password" required
        /></label>
        <button>Log in</button>
      </form>`,
  });
}

/** Any other refusal, in a sentence. */
export function renderRefusal(title: string, sentence: string): string {
  return renderPage({ title, styleAddress: STYLE_ADDRESS, body: html`<p>${sentence}</p>` });
}

export function renderTime(atMs: number): Markup {
  const iso = new Date(atMs).toISOString();
  return html`<time class="small soft" datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

export function meetingAddress(meetingId: string): string {
  return `/console/meetings/${encodeURIComponent(meetingId)}`;
}
