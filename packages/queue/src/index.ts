// The public surface of the queue.
export type { Backend, ConnectionUse, PostgresBackend, RedisBackend } from './backend.ts';
export type { JobCounts } from './bullmq/job-store.ts';
export { checkEmbeddedSupport } from './embedded/check-embedded-support.ts';
export { describeError } from './describe-error.ts';
export { emptyNamespace } from './empty-namespace.ts';
export { createInbox, type InboxOptions } from './inbox.ts';
export type { Acceptance, Accepted, Inbox, Refusal } from './inbox-store.ts';
export { isCode } from './is-code.ts';
export { createGroupedWriter, type GroupedWriter } from './grouped-writer.ts';
export {
  type EffectDestination,
  type EffectJob,
  type EventJob,
  effectDestinations,
  effectJobSchema,
  eventJobSchema,
  type JobData,
  type JobName,
  jobCatalog,
  type ScheduleJob,
} from './job-catalog.ts';
export { type JobDesk, openJobDesk, type StoredJob } from './job-desk.ts';
export { createJobQueue, type JobQueue, type NewEffect } from './job-queue.ts';
export { type Cadence, type JobSchedules, openJobSchedules } from './job-schedules.ts';
export { startJobWorker } from './job-worker.ts';
export { type Log, silentLog } from './log.ts';
export { openBackend, type OpenBackendOptions } from './open-backend.ts';
export { type ParsedQueueUrl, parseQueueUrl, type QueueAddress } from './queue-url.ts';
export { isPostgresDataError } from './postgres/is-data-error.ts';
export { StoreUnavailable } from './store-unavailable.ts';
export type { FailedJob, JobOutcome, JobWorker, JobWorkerOptions, TakenJob } from './taken-job.ts';
export { withDeadline } from './with-deadline.ts';
export { writeGroup } from './write-group.ts';
