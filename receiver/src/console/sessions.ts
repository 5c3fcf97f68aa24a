import { createHmac, randomBytes } from 'node:crypto';

import type { SessionStore } from './console-data.ts';

/** A session ends after this long without a request, and after `MAX_MS` in any case. Milliseconds. */
const IDLE_MS = 30 * 60 * 1000;
const MAX_MS = 12 * 60 * 60 * 1000;
/** How often the time of the last request is written. */
const TOUCH_MS = 60 * 1000;

export interface Session {
  /** Goes into every form; who has the page has it, who only makes the browser send a request has not. */
  readonly csrf: string;
  /** Names the session in the journal: it opens nothing. */
  readonly label: string;
  /** Who it is, where a proxy in front says so. */
  readonly user?: string;
}

export interface Sessions {
  /** A new session; its text is for the cookie alone. */
  begin(): Promise<{ readonly cookie: string; readonly session: Session }>;
  /** Undefined: there is none, or it is over. `isUsed`: a person asks, which keeps the session alive. */
  find(cookie: string | undefined, isUsed: boolean): Promise<Session | undefined>;
  end(cookie: string | undefined): Promise<void>;
}

const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Sessions of which only hashes are stored. They belong to one `ADMIN_TOKEN`: with another one all of them are over.
 * `key` is that token, or another secret text of the process where there is none.
 */
export function createSessions(store: SessionStore, key: string, nowMs: () => number): Sessions {
  const derive = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose} ${text}`, 'utf8').digest('hex');
  const nameOf = (cookie: string): string => `console:${derive('session', cookie)}`;
  const open = (cookie: string): Session => ({
    csrf: derive('form', cookie),
    label: derive('label', cookie).slice(0, 8),
  });
  const write = async (cookie: string, sinceMs: number, lastMs: number): Promise<void> => {
    const keepMs = Math.max(1, Math.min(IDLE_MS, sinceMs + MAX_MS - lastMs));
    await store.write(nameOf(cookie), JSON.stringify([sinceMs, lastMs]), keepMs);
  };
  return {
    async begin() {
      const cookie = randomBytes(32).toString('base64url');
      await write(cookie, nowMs(), nowMs());
      return { cookie, session: open(cookie) };
    },
    async find(cookie, isUsed) {
      if (cookie === undefined || !cookiePattern.test(cookie)) return undefined;
      const times = readTimes(await store.read(nameOf(cookie)));
      if (times === undefined) return undefined;
      const [sinceMs, lastMs] = times;
      const now = nowMs();
      if (now - lastMs > IDLE_MS || now - sinceMs > MAX_MS) return undefined;
      if (isUsed && now - lastMs > TOUCH_MS) await write(cookie, sinceMs, now);
      return open(cookie);
    },
    async end(cookie) {
      if (cookie !== undefined && cookiePattern.test(cookie)) await store.write(nameOf(cookie), '', 1);
    },
  };
}

function readTimes(text = ''): readonly [number, number] | undefined {
  const [, since, last] = /^\[(\d{1,16}),(\d{1,16})\]$/.exec(text) ?? [];
  return since === undefined || last === undefined ? undefined : [Number(since), Number(last)];
}
