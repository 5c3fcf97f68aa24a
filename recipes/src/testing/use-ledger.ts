import { type Backend, openBackend, silentLog } from '@aftermeet/queue';
import { afterAll, beforeAll } from 'vitest';

import type { Ledger } from '../engine/ledger/ledger.ts';
import { openLedger, openSharedStore } from '../engine/store/open-stores.ts';
import type { SharedStore } from '../engine/store/shared-store.ts';

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

/** Opens something in an empty store for the tests of a suite; it is there once they run. */
export function useOpened<Opened extends { close(): Promise<void> }>(
  openStore: () => Promise<EmptyStore>,
  open: (backend: Backend) => Promise<Opened>,
): () => { readonly backend: Backend; readonly opened: Opened } {
  let store: EmptyStore | undefined;
  let backend: Backend | undefined;
  let opened: Opened | undefined;
  beforeAll(async () => {
    store = await openStore();
    backend = await openBackend(store.queueUrl, { log: silentLog });
    opened = await open(backend);
  });
  afterAll(async () => {
    await opened?.close();
    await backend?.close();
    await store?.dispose();
  });
  return () => {
    if (backend === undefined || opened === undefined)
      throw new Error('the store is open only while the tests of its suite run');
    return { backend, opened };
  };
}

export function useLedger(openStore: () => Promise<EmptyStore>): OpenLedger {
  const read = useOpened(openStore, openLedger);
  return {
    get backend() {
      return read().backend;
    },
    get ledger() {
      return read().opened;
    },
  };
}

/** The records that all workers share, and where they are. */
export function useSharedStore(openStore: () => Promise<EmptyStore>): () => {
  readonly backend: Backend;
  readonly opened: SharedStore;
} {
  return useOpened(openStore, (backend) => openSharedStore(backend));
}
