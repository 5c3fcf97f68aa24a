import { createInterface } from 'node:readline';

import type { Command } from 'commander';

import type { CommandContext } from '../context.ts';
import type { DevStack } from '../dev/stack.ts';
import { createSampleMeeting, type SampleMeeting, type SampleResult } from '../dev/timeline.ts';
import { EXIT_FAILED, EXIT_OK } from '../errors.ts';
import { createLog } from '../hosting/log.ts';
import { withResources } from '../hosting/resources.ts';
import { armStopSignal, ignoreHangUp } from '../hosting/stop-signal.ts';
import type { Environment } from '../settings/settings.ts';
import { createPaint, formatJson, type Paint } from '../terminal/format.ts';

interface DevOptions {
  readonly once?: boolean;
  readonly json?: boolean;
}

/** How long a sample meeting may take to arrive. */
const TIMEOUT_MS = 30_000;
const STOP_WITHIN_MS = 15_000;

/** `aftermeet dev`: runs the full stack locally, with a sample meeting. */
export function addDevCommand(program: Command, context: CommandContext): void {
  program
    .command('dev')
    .summary('run the full stack locally with a sample meeting')
    .description(
      'Runs the sandbox (an emulator of the service), emulators of Slack, Notion and a mail server, the receiver and ' +
        'the worker in one process, and runs one sample meeting through them. It needs no account, and nothing ' +
        'leaves this machine. QUEUE_URL selects the queue; the default one is stored in .aftermeet. A queue takes one ' +
        'aftermeet dev at a time, and is emptied when it starts.',
    )
    .option('--once', 'run one meeting and exit: 0 if it reached every destination, 1 if not')
    .option('--json', 'run one meeting, print the result as JSON, and exit')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet dev\n  QUEUE_URL=redis://127.0.0.1:6379 aftermeet dev --once',
    )
    .action((options: DevOptions) => runDev(context, options));
}

async function runDev(context: CommandContext, options: DevOptions): Promise<void> {
  const { loadSettings } = await import('../settings/load.ts');
  const { silentLog } = await import('@aftermeet/queue');
  const { startDevStack } = await import('../dev/stack.ts');
  const { environment } = context;
  const settings = await loadSettings(omitVendorSettings(environment), context.configPath());
  const paint = createPaint(context);
  const print = (text: string): void => {
    if (options.json !== true) context.write(text);
  };
  // The timeline is the output; the log shows warnings only, unless LOG_LEVEL is set.
  const level = environment['LOG_LEVEL'] === undefined ? 'warn' : settings.log.level;
  const log = options.json === true ? silentLog : await createLog({ ...settings.log, level });
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  await withResources(context.writeError, async (defer) => {
    defer(ignoreHangUp((text) => context.writeError(`${text}\n`), stop));
    let current: SampleMeeting | undefined;
    const stack = await startDevStack(
      {
        settings,
        mustUsePort: (environment['PORT'] ?? '') !== '',
        log,
        tell: print,
        observe: (step) => current?.observe(step),
      },
      defer,
    );
    print(describeStack(stack, paint));
    // Of the settings only the queue leads to another host.
    const { logClearText } = await import('../settings/clear-text.ts');
    const { queueUrl } = settings;
    logClearText(log, { queueUrl, service: undefined, destinations: {}, recipes: [] });
    const runSample = async (): Promise<SampleResult> => {
      current = createSampleMeeting({ paint, write: print, timeoutMs: TIMEOUT_MS });
      print(`\n${paint.strong('Sample meeting')}\n`);
      const result = await current.run(stack);
      print(describeResult(result, paint));
      return result;
    };
    const result = await Promise.race([runSample(), stop.asked]);
    if (result === undefined) {
      context.finish(stop.exitCode());
      return;
    }
    if (options.json === true) context.write(formatJson(result, { oneLine: true }));
    if (options.once === true || options.json === true) {
      context.finish(result.ok ? EXIT_OK : EXIT_FAILED);
      return;
    }
    print(describeArrivals(stack, result, paint));
    const stopListening = await listenForEnter(context, runSample);
    await stop.wait();
    stopListening();
    print('\nStopping …\n');
  });
}

/** Settings of the service and the destinations are not read: emulators take their place. */
function omitVendorSettings(environment: Environment): Environment {
  const vendor = /^(?:SERVICE_(?:BASE_URL|MCP_URL|API_KEY)|SLACK_|NOTION_|SMTP_|MAIL_|IMAP_)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !vendor.test(name)));
}

function describeStack(stack: DevStack, paint: Paint): string {
  return (
    `${paint.strong('Aftermeet')} runs on this machine:\n` +
    `  console                ${stack.adminUrl}/console\n` +
    `  the service (sandbox)  ${stack.sandboxUrl}/_sandbox\n` +
    `  receiver               ${stack.receiverUrl}\n` +
    `  queue                  ${stack.queueName}\n`
  );
}

function describeArrivals({ adminUrl, vendors }: DevStack, result: SampleResult, paint: Paint): string {
  const meeting = result.ok ? `/meetings/${result.meetingId}` : '';
  return (
    `\n${paint.strong('See what arrived')}, drawn as its readers see it\n` +
    `  ${adminUrl}/console${meeting}\n\n` +
    `${paint.strong('As JSON')}\n` +
    `  Slack   ${vendors.slack.url}\n` +
    `  Notion  ${vendors.notion.url}\n` +
    `  mail    ${vendors.mail.controlUrl}\n\n` +
    'Enter runs another meeting, Ctrl-C stops everything.\n'
  );
}

function describeResult(result: SampleResult, paint: Paint): string {
  if (result.ok) return `${paint.good('Arrived everywhere')} in ${(result.elapsedMs / 1000).toFixed(2)} s.\n`;
  const causes = result.causes.map((cause) => `  ${cause}\n`).join('');
  return `${paint.bad('Did not arrive')} at ${result.missing.join(', ')} within ${TIMEOUT_MS / 1000} s.\n${causes}`;
}

/** On a terminal, Enter runs another meeting, one at a time. Returns a function that stops listening. */
async function listenForEnter(
  context: CommandContext,
  runSample: () => Promise<SampleResult>,
): Promise<() => void> {
  if (!context.isTerminal || !process.stdin.isTTY) return () => {};
  const { describeError } = await import('@aftermeet/queue');
  const lines = createInterface({ input: process.stdin });
  let isRunning = false;
  lines.on('line', () => {
    if (isRunning) return;
    isRunning = true;
    runSample()
      .catch((error: unknown) => context.write(`${describeError(error)}\n`))
      .finally(() => {
        isRunning = false;
      });
  });
  return () => lines.close();
}
