import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** The calls that are being played: what one of them causes comes after its answer, whatever other calls are open. */
export interface OpenCalls {
  /** Plays a call: `play`, and all that it waits for, is that call. Returns what `play` returns. */
  readonly follow: <Result>(response: ServerResponse, play: () => Result) => Result;
  /**
   * Notes the call that is being played. What it returns calls `run` when that call has been answered or is gone: at
   * once when it is already, and where none is played.
   */
  readonly note: () => (run: () => void) => void;
}

interface Call {
  isOpen: boolean;
  readonly waiting: (() => void)[];
}

export function createOpenCalls(): OpenCalls {
  const played = new AsyncLocalStorage<Call | undefined>();
  return {
    follow(response, play) {
      const call: Call = { isOpen: !response.closed, waiting: [] };
      response.once('close', () => {
        call.isOpen = false;
        for (const run of call.waiting.splice(0)) run();
      });
      return played.run(call, play);
    },
    note() {
      const call = played.getStore();
      return (run) => {
        // What a call has caused is not that call any more, and a timer that one has set is for all.
        const runAlone = (): void => played.run(undefined, run);
        if (call?.isOpen === true) call.waiting.push(runAlone);
        else runAlone();
      };
    },
  };
}
