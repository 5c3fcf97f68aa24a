import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { Upload } from './upload.ts';

export interface ExpirySettings {
  readonly clock: Pick<SandboxClock, 'now' | 'schedule'>;
  /** How long an upload is kept that nobody goes on with, in hours of the sandbox; null: for ever. */
  readonly lifetimeHours: () => number | null;
  readonly list: () => readonly Upload[];
  readonly forget: (upload: Upload) => void;
}

export interface Expiry {
  /** Forgets what nobody goes on with, and plans to look again when the next one is due. */
  readonly look: () => void;
  readonly stop: () => void;
}

const hourMs = 3_600_000;

/** Ends uploads that are not complete, so long after their last request. That the service does so is assumed. */
export function createExpiry({ clock, lifetimeHours, list, forget }: ExpirySettings): Expiry {
  let stop: (() => void) | undefined;

  function look(): void {
    stop?.();
    const lifetime = lifetimeHours();
    if (lifetime === null) return;
    const nowMs = clock.now();
    let nextMs = Infinity;
    for (const upload of list()) {
      if (upload.facts.result !== undefined) continue;
      // The clock shows whole milliseconds: of a broken one, the end would never have come.
      const endMs = upload.facts.lastRequestMs + Math.ceil(lifetime * hourMs);
      if (endMs <= nowMs) forget(upload);
      else nextMs = Math.min(nextMs, endMs);
    }
    if (nextMs < Infinity) stop = clock.schedule(nextMs, look);
  }

  return {
    look,
    stop() {
      stop?.();
    },
  };
}
