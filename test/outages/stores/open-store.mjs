import { openEmbeddedStore, whyNoPostgres } from './embedded-store.mjs';
import { openPostgresStore } from './postgres-store.mjs';
import { openRedisStore, whyNoRedis } from './redis-store.mjs';

const stores = {
  redis: { open: openRedisStore, whyNot: whyNoRedis },
  postgres: { open: openPostgresStore, whyNot: whyNoPostgres },
  embedded: { open: openEmbeddedStore, whyNot: whyNoPostgres },
};

/** Why a store can't be played on this machine, or nothing. */
export function whyNot(kind) {
  if (process.platform !== 'linux') return 'the suite reads /proc and signals processes as Linux has them';
  return stores[kind].whyNot();
}

/** Opens a store of our own in a folder; it is gone with the folder. */
export function openStore(kind, folder) {
  return stores[kind].open(folder);
}
