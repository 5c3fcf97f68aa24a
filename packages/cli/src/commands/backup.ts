import type { BackupManifest, BackupProblem, PostgresBackend } from '@aftermeet/queue';
import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import { DEV_NAMESPACE } from '../dev/dev-store.ts';
import { EXIT_FAILED, Failure, WrongUse } from '../errors.ts';
import { type Defer, withResources } from '../hosting/resources.ts';
import { armStopSignal } from '../hosting/stop-signal.ts';
import { findMissingFolder, requireQueueUrl } from '../operate/operator.ts';
import { isElsewhere } from '../operate/remote.ts';
import { createProgress } from '../service/with-service.ts';
import { formatBytes, formatJson, formatMoment } from '../terminal/format.ts';
import { silentProgress } from '../terminal/progress.ts';
import { cleanLine } from '../terminal/text.ts';

const STOP_WITHIN_MS = 10_000;

/** `aftermeet backup`: copies the embedded store to a folder while receiver and worker run. */
export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .summary('copy the embedded store to a folder')
    .description(
      'Copies everything that the embedded queue (QUEUE_URL=embedded:FOLDER) holds to a new folder, as of one moment, ' +
        'while receiver and worker run. Redis and PostgreSQL have tools of their own: docs/backup.md.',
    )
    .argument('<folder>', 'folder to write, which must not exist or be empty')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet backup /var/backups/aftermeet/monday')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const queueUrl = await requireEmbedded(context, 'backup');
      const missing = await findMissingFolder(queueUrl);
      if (missing !== undefined) {
        const message = `There is no queue folder yet at ${cleanLine(missing)}: nothing has been received.`;
        throw new Failure({ exitCode: EXIT_FAILED, code: 'not_found', message });
      }
      const manifest = await run(context, { queueUrl, folder, json }, async ({ defer, ...options }) => {
        const { writeBackup } = await import('@aftermeet/queue');
        const backend = defer(await openStore(context, queueUrl));
        return await writeBackup(backend, folder, {
          ...options,
          release: program.version() ?? '',
          nowMs: backend.clock.now(),
        });
      });
      print(context, { manifest, folder, json }, `The backup is in ${cleanLine(folder)}`);
    });
}

/** `aftermeet restore`: fills an empty embedded store from a backup. */
export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .summary('fill an empty embedded store from a backup')
    .description(
      'Restores what aftermeet backup wrote into the embedded queue of QUEUE_URL, all of it or nothing. The queue must ' +
        'be empty, and no receiver or worker may run on it. What was sent after the backup may be sent again: ' +
        'docs/backup.md.',
    )
    .argument('<folder>', 'folder that aftermeet backup wrote')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  QUEUE_URL=embedded:.aftermeet-new aftermeet restore /var/backups/aftermeet/monday',
    )
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const queueUrl = await requireEmbedded(context, 'restore');
      const manifest = await run(context, { queueUrl, folder, json }, async ({ defer, ...options }) => {
        const { checkBackup, restoreBackup } = await import('@aftermeet/queue');
        // Before a store is made.
        const checked = await checkBackup(folder);
        const backend = defer(await openStore(context, queueUrl));
        await makeTables(backend);
        await restoreBackup(backend, folder, checked, options);
        return checked;
      });
      print(context, { manifest, folder, json }, `${cleanLine(queueUrl)} now holds the backup`);
    });
}

/** How to save the other stores. */
const ownTools = {
  redis: 'Redis saves itself: redis-cli BGSAVE, then keep its dump.rdb or appendonlydir',
  postgres: 'Use pg_dump and pg_restore of PostgreSQL',
} as const;

/** The address of the embedded queue; ends the command for another store. */
async function requireEmbedded(context: CommandContext, command: string): Promise<string> {
  if (isElsewhere(context.environment)) {
    throw new WrongUse(
      `aftermeet ${command} reads and writes files of the machine of the queue: run it there, without AFTERMEET_URL.\n`,
    );
  }
  const { parseQueueUrl } = await import('@aftermeet/queue');
  const queueUrl = await requireQueueUrl(context.environment);
  const address = parseQueueUrl(queueUrl);
  if (!address.ok) throw new WrongUse(`QUEUE_URL: ${address.problem}\n`);
  if (address.kind === 'embedded') return queueUrl;
  throw new WrongUse(
    `aftermeet ${command} is for the embedded queue, and QUEUE_URL is ${cleanLine(address.name)}. ` +
      `${ownTools[address.kind]} (docs/backup.md).\n`,
  );
}

async function openStore(context: CommandContext, queueUrl: string): Promise<PostgresBackend> {
  const { openBackend, silentLog } = await import('@aftermeet/queue');
  const namespace = context.isDev() ? { namespace: DEV_NAMESPACE } : {};
  const backend = await openBackend(queueUrl, { log: silentLog, ...namespace });
  if (backend.kind !== 'postgres') throw new Error('the embedded queue is a PostgreSQL');
  return backend;
}

/** Makes the tables of the recipes, as a worker does at its first start. */
async function makeTables(backend: PostgresBackend): Promise<void> {
  const { openOperatorTools, openSharedStore } = await import('@aftermeet/recipes');
  await (await openOperatorTools(backend)).close();
  await (await openSharedStore(backend)).close();
}

interface Request {
  readonly queueUrl: string;
  readonly folder: string;
  readonly json: boolean | undefined;
}

interface Tools {
  readonly defer: Defer;
  readonly signal: AbortSignal;
  readonly onProgress: (doneBytes: number, totalBytes?: number) => void;
}

/** Runs one of both with progress and Ctrl-C, and explains what went wrong. */
async function run(
  context: CommandContext,
  request: Request,
  use: (tools: Tools) => Promise<BackupManifest>,
): Promise<BackupManifest> {
  const { BackupError } = await import('@aftermeet/queue');
  const progress = request.json === true ? silentProgress : createProgress(context);
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  const onProgress: Tools['onProgress'] = (doneBytes, totalBytes) =>
    progress.show({
      kind: 'bytes',
      label: totalBytes === undefined ? 'saving' : 'restoring',
      doneBytes,
      ...(totalBytes === undefined ? {} : { totalBytes }),
    });
  try {
    return await withResources(context.writeError, (defer) =>
      use({ defer, signal: stop.signal, onProgress }),
    );
  } catch (error) {
    if (stop.signal.aborted) {
      const message = 'Stopped: nothing was saved or restored.';
      throw new Failure({ exitCode: stop.exitCode(), code: 'aborted', message });
    }
    if (error instanceof BackupError) throw explanations[error.code](cleanLine(error.found));
    throw error;
  } finally {
    progress.clear();
    stop.disarm();
  }
}

const otherRelease = (found: string): Failure =>
  fail(
    `The backup was made by release ${found}, whose tables differ. Nothing was restored.`,
    'Restore it with that release, then upgrade or downgrade.',
  );

const explanations: Readonly<Record<BackupProblem, (found: string) => Error>> = {
  folder_not_empty: (found) =>
    new WrongUse(`${found} is not empty. Name a folder that does not exist yet.\n`),
  not_a_backup: (found) => new WrongUse(`This is no whole backup: ${found} is missing or can't be read.\n`),
  damaged: (found) =>
    fail(`${found} is missing, or not as it was written. Nothing was restored.`, 'Use another backup.'),
  newer_format: otherRelease,
  other_release: otherRelease,
  store_not_empty: (found) =>
    fail(
      `The queue is not empty (${found}). Nothing was restored.`,
      'Restore into a new folder: QUEUE_URL=embedded:NEW.',
    ),
  store_in_use: (found) =>
    fail(
      `${found} other process(es) use the queue. Nothing was restored.`,
      'Stop receiver and worker first.',
    ),
};

function fail(message: string, advice: string): Failure {
  return new Failure({ exitCode: EXIT_FAILED, code: 'failed', message, advice });
}

function print(
  context: CommandContext,
  { manifest, folder, json }: Omit<Request, 'queueUrl'> & { readonly manifest: BackupManifest },
  done: string,
): void {
  const { createdAt, release, tables } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  context.write(
    json === true
      ? formatJson({ folder, createdAt, release, rows, bytes })
      : `${done}: ${rows} rows, ${formatBytes(bytes)}, of ${formatMoment(createdAt)} UTC.\n`,
  );
}
