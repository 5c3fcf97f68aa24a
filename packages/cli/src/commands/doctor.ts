import { existsSync } from 'node:fs';

import type * as Queue from '@aftermeet/queue';
import type { StoreCause } from '@aftermeet/queue';
import type { CheckResult, OperatorTools } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { noticeClocks } from '../console/workers.ts';
import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, type SettingProblem, WrongUse } from '../errors.ts';
import { withResources } from '../hosting/resources.ts';
import { omitUndefined } from '../options.ts';
import { findUnknownPeople } from '../recipes/unknown-people.ts';
import { explainServiceError } from '../service/explain-service-error.ts';
import { hideInProblem } from '../settings/hide-secrets.ts';
import type { Settings } from '../settings/settings.ts';
import { createPaint, formatItems, type Paint } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

/** The time for one check; all run at once. */
const TIMEOUT_MS = 10_000;

/** What is not configured is no failure: a machine may run the worker alone, or only call the service. */
export type Result = Omit<CheckResult, 'result'> & { readonly result: CheckResult['result'] | 'not_set_up' };

/** An embedded server has to start first. */
const EMBEDDED_TIMEOUT_MS = 60_000;

/** `aftermeet doctor`: checks that everything named by these settings works. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check settings, service, queue and every destination')
    .description(
      'Checks that everything named by these settings works, all at once and for ten seconds at most: the service ' +
        'with the key, the queue, what the receiver refused in the last day, Slack (token, scopes, channels), the ' +
        'Notion data sources, the mail server, the mailbox, and the folders and addresses of recipes. Nothing is ' +
        'sent or changed. Failed checks come with advice, and make the exit code 1. What is not configured is not ' +
        'set up, and no failure.',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet doctor\n  aftermeet doctor --config aftermeet.yaml --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const results = await runChecks(context);
      if (results.some(({ result }) => result === 'failed')) context.finish(EXIT_FAILED);
      context.write(json === true ? formatItems(results) : formatResults(results, createPaint(context)));
    });
}

async function runChecks(context: CommandContext): Promise<readonly Result[]> {
  const { findSettings } = await import('../settings/load.ts');
  const { checkDestinations } = await import('@aftermeet/recipes');
  const { checkReceiver } = await import('../operate/check-receiver.ts');
  const read = await findSettings(context.environment, context.configPath());
  if (!read.ok) {
    const problems = read.problems.map((problem) => toCheckResult('settings', 'failed', problem));
    return [...problems, ...(await findChannels(read.problems, context))];
  }
  const { settings } = read;
  const checks = [
    checkService(settings, context),
    checkQueue(settings, context),
    checkReceiver(settings, context, TIMEOUT_MS),
    ...checkDestinations(settings.destinations, settings.recipes, TIMEOUT_MS),
  ];
  return [
    ...(await checkSettings(settings, context)),
    ...(await warnOfClearText(settings)),
    ...(await Promise.all(checks)).flat(),
  ];
}

async function warnOfClearText(settings: Settings): Promise<readonly CheckResult[]> {
  const { findClearText } = await import('../settings/clear-text.ts');
  return findClearText(settings).map(({ setting, host, remedy }) => ({
    name: 'encryption',
    result: 'warning',
    found: `${setting}: what goes to ${host} is not encrypted`,
    advice: `Use ${remedy}, unless only a private network lies between.`,
  }));
}

/** Proposes the ids of Slack channels that the settings name, such as "#sales": they take ids only. */
async function findChannels(
  problems: readonly SettingProblem[],
  context: CommandContext,
): Promise<readonly CheckResult[]> {
  const names = problems.flatMap(({ setting, found }) => {
    const [, name] = /^"(#[^\s"]+)"$/.exec(found) ?? [];
    return name !== undefined && /(?:^SLACK_CHANNEL|\.channel|\.approve\.slack)$/.test(setting) ? [name] : [];
  });
  if (names.length === 0) return [];
  const { readEnvironment } = await import('../settings/environment.ts');
  const { findSlackChannels, readDestinations } = await import('@aftermeet/recipes');
  // The variables without the wrong ones: SLACK_CHANNEL may be one of them.
  const { values } = readEnvironment(context.environment);
  const { slack } = readDestinations(values, { hasRecipes: true }).destinations;
  return slack === undefined ? [] : await findSlackChannels(slack, [...new Set(names)], TIMEOUT_MS);
}

/** The source of the settings, what receiver and worker lack, and warnings about the recipes. */
async function checkSettings(
  settings: Settings,
  { fromEnvFile }: CommandContext,
): Promise<readonly Result[]> {
  const { receiverProblems, recipeProblems } = await import('../settings/load.ts');
  const { explainRecipes } = await import('@aftermeet/recipes');
  const { file, recipes, destinations, endpoints, endpointRecipes } = settings;
  const explained = explainRecipes({
    recipes,
    destinations,
    endpointRecipes,
    endpoints: [...endpoints.byName.keys()],
  });
  return [
    {
      name: 'settings',
      result: 'ok',
      found: `${file ?? 'the environment alone'}${fromEnvFile.size === 0 ? '' : ', with .env'}`,
    },
    // Only a warning: this machine may run only a worker.
    ...receiverProblems(settings).map((problem) =>
      toCheckResult('receiver', endpoints.byName.size === 0 ? 'not_set_up' : 'warning', problem),
    ),
    ...recipeProblems(settings).map((problem) =>
      toCheckResult('recipes', recipes.length === 0 ? 'not_set_up' : 'failed', problem),
    ),
    ...explained.flatMap(({ name, warnings }) =>
      warnings.map((found): CheckResult => ({ name: `recipe ${name}`, result: 'warning', found })),
    ),
  ];
}

function toCheckResult<Kind extends Result['result']>(name: string, result: Kind, problem: SettingProblem) {
  const { setting, found, expected } = hideInProblem(problem);
  return { name, result, found: `${setting}: found ${found}`, advice: `Expected ${expected}.` };
}

/** Loads the workspace's tags: the cheapest request that needs the key. */
async function checkService({ recipes }: Settings, context: CommandContext): Promise<readonly Result[]> {
  const name = 'service';
  const { findService } = await import('../settings/service.ts');
  let service: ReturnType<typeof findService>;
  try {
    service = findService(context);
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    return [{ name, result: 'failed', found: error.message.trim() }];
  }
  // Receiver and worker read no profile.
  const isForWorker = service !== undefined && service.profile === undefined;
  const lacking: readonly Result[] =
    isForWorker || (service !== undefined && recipes.length === 0)
      ? []
      : [
          {
            name: service === undefined ? name : 'worker',
            result: recipes.length === 0 ? 'not_set_up' : 'failed',
            found: 'SERVICE_BASE_URL and SERVICE_API_KEY are not both set',
            advice:
              'Set them: the worker needs them to fetch reports. For commands aftermeet login is enough.',
          },
        ];
  if (service === undefined) return lacking;
  const { baseUrl, apiKey, mcpUrl, source } = service;
  const { createClient, ServiceError } = await import('@aftermeet/client');
  try {
    const client = createClient({
      baseUrl,
      apiKey,
      ...omitUndefined({ mcpUrl }),
      ...context.client,
      retries: 0,
      timeoutMs: TIMEOUT_MS,
    });
    const { items: tags } = await client.tags.list();
    return [
      { name, result: 'ok', found: `it accepts the key of ${source} (${tags.length} tags)` },
      ...lacking,
    ];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, advice } = explainServiceError(error);
    return [{ name, result: 'failed', found: message, ...omitUndefined({ advice }) }, ...lacking];
  }
}

/** Opens the queue and pings it. An embedded one that does not exist yet is not created. */
async function checkQueue(settings: Settings, context: CommandContext): Promise<readonly CheckResult[]> {
  const name = 'queue';
  const { queueUrl } = settings;
  const queue = await import('@aftermeet/queue');
  const address = queue.parseQueueUrl(queueUrl);
  if (!address.ok) return [{ name, result: 'failed', found: address.problem, advice: 'Check QUEUE_URL.' }];
  if (address.kind === 'embedded') {
    const support = queue.checkEmbeddedSupport();
    if (!support.ok) return [{ name, result: 'failed', found: support.problem }];
    if (!existsSync(address.directory)) {
      const found = `${address.name}: does not exist yet, the first process that needs it creates it`;
      return [{ name, result: 'ok', found }];
    }
  }
  const warnings: string[] = [];
  let unknown: Awaited<ReturnType<typeof findUnknownPeople>>;
  const log = {
    ...queue.silentLog,
    warn: (_fields: object, message?: string) => warnings.push(message ?? ''),
  };
  const timeoutMs = address.kind === 'embedded' ? EMBEDDED_TIMEOUT_MS : TIMEOUT_MS;
  try {
    await withResources(context.writeError, async (defer) => {
      const opening = queue.openBackend(queueUrl, { log, signal: AbortSignal.timeout(timeoutMs) });
      const backend = defer(await queue.withDeadline(opening, timeoutMs).catch(closeWhenOpen(opening)));
      const inbox = defer(await queue.createInbox(backend, { log }));
      await queue.withDeadline(inbox.ping(), timeoutMs);
      // Opened where recipes write to people alone.
      const listUnknownPeople: OperatorTools['listUnknownPeople'] = async (directory) => {
        const { openOperatorTools } = await import('@aftermeet/recipes');
        const tools = defer(await openOperatorTools(backend));
        return await tools.listUnknownPeople(directory);
      };
      const { listWorkers, openSharedStore } = await import('@aftermeet/recipes');
      const shared = defer(await openSharedStore(backend));
      const workers = await queue.withDeadline(listWorkers(shared), timeoutMs);
      const jobs = defer(await queue.createJobQueue(backend));
      const { waiting, delayed } = await queue.withDeadline(jobs.counts('event'), timeoutMs);
      const open = waiting + delayed;
      if (open > 0 && !workers.some(({ state }) => state === 'alive'))
        warnings.push(
          `${open === 1 ? 'a delivery waits' : `${open} deliveries wait`}, and no worker is alive: start aftermeet worker`,
        );
      warnings.push(...noticeClocks(workers));
      unknown = await queue.withDeadline(findUnknownPeople(settings, { listUnknownPeople }), timeoutMs);
    });
  } catch (error) {
    return [{ name, result: 'failed', ...explainStore(address.name, error, queue) }];
  }
  return [
    { name, result: 'ok', found: `${address.name} answers` },
    ...[...new Set(warnings)].map((found): CheckResult => ({ name, result: 'warning', found })),
    ...(unknown === undefined ? [] : [{ name: 'people', result: 'warning', ...unknown } as const]),
  ];
}

const storeCauses: Readonly<Record<StoreCause, { readonly found: string; readonly advice: string }>> = {
  store_full: {
    found: 'its memory is full, or the rest of it is kept for what waits',
    advice: 'Start a worker, which empties the queue, or raise maxmemory.',
  },
  disk_full: {
    found: 'its disk is full',
    advice: 'Give it room: a larger disk, or fewer files on this one.',
  },
  read_only: {
    found: 'it is read-only',
    advice: 'QUEUE_URL must lead to the server that takes writes, not to a replica.',
  },
  not_persisting: {
    found: 'it takes no writes, because it cannot save them to its disk',
    advice: 'The log of the server says why: a full disk, or a folder that it may not write.',
  },
  refused: {
    found: 'it refuses this user',
    advice: 'Check user and password in QUEUE_URL, and the rights of the user.',
  },
  loading: { found: 'it has started and still loads its data', advice: 'Wait, then try again.' },
};

function explainStore(
  store: string,
  error: unknown,
  { findStoreCause, describeError }: Pick<typeof Queue, 'findStoreCause' | 'describeError'>,
): Pick<CheckResult, 'found' | 'advice'> {
  const cause = findStoreCause(error);
  if (cause === undefined) {
    return { found: `${store}: ${describeError(error)}`, advice: 'Does it run, and is QUEUE_URL right?' };
  }
  const { found, advice } = storeCauses[cause];
  return { found: `${store}: ${found} (${cause})`, advice };
}

/** Closes a queue that opens after the deadline, and rethrows. */
function closeWhenOpen(opening: Promise<{ close(): Promise<void> }>) {
  return (error: unknown): never => {
    void opening.then(
      (backend) => backend.close(),
      () => undefined,
    );
    throw error;
  };
}

function formatResults(results: readonly Result[], paint: Paint): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const labels = {
    ok: paint.good('ok        '),
    warning: 'warning   ',
    failed: paint.bad('failed    '),
    not_set_up: 'not set up',
  };
  const lines = results.flatMap(({ name, result, found, advice }) => [
    `${labels[result]}  ${cleanLine(name).padEnd(width)}  ${cleanLine(found)}`,
    ...(advice === undefined || result === 'ok' ? [] : [`${' '.repeat(width + 14)}${cleanLine(advice)}`]),
  ]);
  const count = results.filter(({ result }) => result === 'failed').length;
  const summary = count === 0 ? 'Nothing has failed.' : `${count} of ${results.length} checks failed.`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}
