// The public surface of the test helpers.
export { describeEachStore, type StoreKind } from './describe-store.ts';
export { describeWithProgram } from './describe-with-program.ts';
export { type DovecotServer, startDovecotServer } from './dovecot-server.ts';
export { openTestStore, type TestStore } from './open-test-store.ts';
export { findFreePort } from './free-port.ts';
export { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
export { startRedisClusterNode, withConnectionsTo } from './redis-cluster-node.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
export { startWatchedRedis, type WatchedRedis } from './redis-sentinel.ts';
export { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
export { selfSigned, selfSignedElsewhere, selfSignedExpired } from './self-signed.ts';
export { findPostmaster, findProcessesIn, signalFamily } from './server-processes.ts';
export { startScript } from './start-script.ts';
