import type { ServerResponse } from 'node:http';

/** The calls that are being played: what one of them causes comes after its answer. */
export interface OpenCalls {
  /** To be called when a call begins. */
  readonly follow: (response: ServerResponse) => void;
  /**
   * Notes which calls are open now. What it returns calls `run` when all of them have been answered or are gone: at
   * once when they are already.
   */
  readonly note: () => (run: () => void) => void;
}

export function createOpenCalls(): OpenCalls {
  let last = 0;
  /** Oldest first. */
  const open = new Set<number>();
  const waiting = new Set<() => void>();
  return {
    follow(response) {
      last += 1;
      const number = last;
      open.add(number);
      response.once('close', () => {
        open.delete(number);
        for (const look of waiting) look();
      });
    },
    note() {
      const newest = last;
      return (run) => {
        const look = (): void => {
          const [oldest] = open;
          if (oldest !== undefined && oldest <= newest) return;
          waiting.delete(look);
          run();
        };
        waiting.add(look);
        look();
      };
    },
  };
}
