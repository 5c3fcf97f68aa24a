import { setTimeout as pause } from 'node:timers/promises';

import { StoreUnavailable } from '../../../../packages/queue/dist/index.js';

/** Accepts a delivery; where the store cannot take it in time, again after a while, as its sender would. */
export async function acceptSurely(inbox, acceptance) {
  for (;;) {
    try {
      await inbox.accept(acceptance);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    await pause(200);
  }
}
