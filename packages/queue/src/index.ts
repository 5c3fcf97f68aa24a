// The public surface of the queue.
export type { Backend, ConnectionUse, PostgresBackend, RedisBackend } from './backend.ts';
export { BackupError, type BackupManifest, type BackupProblem } from './backup/manifest.ts';
export { checkBackup, restoreBackup } from './backup/restore-backup.ts';
export { writeBackup } from './backup/write-backup.ts';
export { checkEmbeddedSupport } from './embedded/binaries.ts';
export { describeError, findStoreCause, isCode, type StoreCause, StoreUnavailable } from './errors.ts';
export { groupReads } from './grouped-reader.ts';
export { createGroupedWriter, type GroupedWriter, writeGroup } from './grouped-writer.ts';
export { createInbox, type InboxOptions } from './inbox.ts';
export type { Acceptance, Accepted, Inbox, Refusal } from './inbox-store.ts';
export { type JobAdmin, openJobAdmin } from './job-admin.ts';
export type { StoredJob, UnfinishedState } from './job-store.ts';
export {
  destinationNameSchema,
  type EffectJob,
  effectJobSchema,
  type EventJob,
  eventJobSchema,
  jobCatalog,
  type JobData,
  type JobName,
  type ScheduleJob,
} from './job-catalog.ts';
export { createJobQueue, type JobCounts, type JobQueue, type NewEffect } from './job-queue.ts';
export { type Cadence, type JobSchedules, openJobSchedules } from './job-schedules.ts';
export {
  type FailedJob,
  type JobOutcome,
  type JobWorkerOptions,
  startJobWorker,
  type TakenJob,
} from './job-worker.ts';
export type { JobWorker } from './bullmq/worker-loop.ts';
export { type Log, silentLog } from './log.ts';
export { claimNamespace, type NamespaceClaim } from './namespace-claim.ts';
export { emptyNamespace, openBackend, type OpenBackendOptions } from './open-backend.ts';
export { isPostgresDataError, readPostgresTime } from './postgres/postgres-backend.ts';
export { defineFunction, prepareObjects, type SchemaObject } from './postgres/schema.ts';
export { type ParsedQueueUrl, parseQueueUrl, type QueueAddress } from './queue-url.ts';
export {
  closeRedis,
  defineRedisScript,
  readRedisTime,
  type RedisScript,
  runRedisScript,
} from './redis/redis-backend.ts';
export {
  carryTrace,
  findTracer,
  readTraceparent,
  type SpanName,
  withSpan,
  withTraceparent,
  writeTraceparent,
} from './tracing.ts';
export type { StoreClock } from './store-clock.ts';
export { withDeadline } from './with-deadline.ts';
