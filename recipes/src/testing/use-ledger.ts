import { type Backend, openBackend, silentLog } from '@aftermeet/queue';
import { afterAll, beforeAll } from 'vitest';

import type { Ledger } from '../engine/ledger/ledger.ts';
import { openLedger } from '../engine/store/open-stores.ts';

/** An empty store that is the test's own. */
interface EmptyStore {
  readonly queueUrl: string;
  dispose(): Promise<void>;
}

/** A ledger and where it is. */
export interface OpenLedger {
  readonly backend: Backend;
  readonly ledger: Ledger;
}

/** Opens a ledger in an empty store for the tests of a suite; it is there once they run. */
export function useLedger(openStore: () => Promise<EmptyStore>): OpenLedger {
  let store: EmptyStore | undefined;
  let backend: Backend | undefined;
  let ledger: Ledger | undefined;
  beforeAll(async () => {
    store = await openStore();
    backend = await openBackend(store.queueUrl, { log: silentLog });
    ledger = await openLedger(backend);
  });
  afterAll(async () => {
    await ledger?.close();
    await backend?.close();
    await store?.dispose();
  });
  return {
    get backend() {
      return requireOpen(backend);
    },
    get ledger() {
      return requireOpen(ledger);
    },
  };
}

function requireOpen<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the store is open only while the tests of its suite run');
  return value;
}
