import { createInterface } from 'node:readline';

import { describeError, silentLog } from '@aftermeet/queue';
import type { Command } from 'commander';

import { type Context, loadSettings } from '../context.ts';
import { createLog } from '../create-log.ts';
import { createPaint, type Paint } from '../dev/paint.ts';
import { createMeetingPlay, type MeetingPlay, type PlayResult } from '../dev/play-meeting.ts';
import { type House, startHouse } from '../dev/start-house.ts';
import type { Environment } from '../settings/settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { useParts } from '../use-parts.ts';

interface DevOptions {
  readonly once?: boolean;
  readonly json?: boolean;
}

const PATIENCE_MS = 30_000;
/** What a shell reports for a command that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

const STOP_WITHIN_MS = 15_000;

/** `aftermeet dev`: everything in one process, and one sample meeting shown on its way. */
export function addDevCommand(program: Command, context: Context, finish: (code: number) => void): void {
  program
    .command('dev')
    .summary('run everything on this machine and play a sample meeting through')
    .description(
      'Runs the sandbox (a stand-in of the service), stand-ins of Slack, Notion and a mail server, the receiver ' +
        'and the worker in one process, and plays one sample meeting through them. No account is needed, and ' +
        'nothing leaves this machine. QUEUE_URL chooses the queue; by default it is kept in .aftermeet.',
    )
    .option('--once', 'play one meeting and exit: 0 when it arrived everywhere, 1 when not')
    .option('--json', 'play one meeting, print the result as JSON, and exit')
    .action(async (options: DevOptions) => {
      const environment = keepOwnSettings(context.environment);
      const settings = await loadSettings(
        { ...context, environment },
        program.opts<{ config?: string }>().config,
      );
      const paint = createPaint(context.isTerminal);
      const say = (text: string): void => {
        if (options.json !== true) context.write(text);
      };
      // The journey is the output; the log speaks up only when something is wrong, or when asked to.
      const level = context.environment['LOG_LEVEL'] === undefined ? 'warn' : settings.log.level;
      const log = options.json === true ? silentLog : await createLog({ ...settings.log, level });
      const stop = armStopSignal(STOP_WITHIN_MS);
      await useParts(async (keep) => {
        let play: MeetingPlay | undefined;
        const house = await startHouse(
          {
            settings,
            portWasAskedFor: (context.environment['PORT'] ?? '') !== '',
            log,
            observe: (step) => play?.observe(step),
          },
          keep,
        );
        say(describeHouse(house, paint));
        const playOne = async (): Promise<PlayResult> => {
          play = createMeetingPlay({ paint, write: say, patienceMs: PATIENCE_MS });
          say(`\n${paint.strong('A sample meeting on its way')}\n`);
          const result = await play.play(house);
          say(describeResult(result, paint));
          return result;
        };
        const result = await Promise.race([playOne(), stop.asked]);
        if (result === undefined) {
          finish(EXIT_INTERRUPTED);
          return;
        }
        if (options.json === true) context.write(`${JSON.stringify(result)}\n`);
        if (options.once === true || options.json === true) {
          finish(result.ok ? 0 : 1);
          return;
        }
        say(describePlaces(house, paint));
        const stopListening = listenForEnter(context, playOne);
        await stop.wait();
        stopListening();
        say('\nStopping …\n');
      });
    });
}

/** The sandbox takes the place of the service and of every destination: settings of theirs are not even read. */
function keepOwnSettings(environment: Environment): Environment {
  const foreign = /^(?:SERVICE_(?:BASE_URL|MCP_URL|API_KEY)|SLACK_|NOTION_|SMTP_|MAIL_)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)));
}

function describeHouse(house: House, paint: Paint): string {
  return (
    `${paint.strong('Aftermeet')} runs on this machine:\n` +
    `  the service (sandbox)  ${house.sandboxUrl}/_sandbox\n` +
    `  receiver               ${house.receiverUrl}\n` +
    `  queue                  ${house.queueName}\n`
  );
}

function describePlaces({ vendors }: House, paint: Paint): string {
  return (
    `\n${paint.strong('Look at what arrived')}\n` +
    `  Slack   ${vendors.slack.url}\n` +
    `  Notion  ${vendors.notion.url}\n` +
    `  mail    ${vendors.mail.pageUrl}\n\n` +
    'Enter plays another meeting, Ctrl-C stops everything.\n'
  );
}

function describeResult(result: PlayResult, paint: Paint): string {
  if (result.ok) return `${paint.good('Arrived everywhere')} in ${(result.elapsedMs / 1000).toFixed(2)} s.\n`;
  const causes = result.causes.map((cause) => `  ${cause}\n`).join('');
  return `${paint.bad('Did not arrive')} at ${result.missing.join(', ')} within ${PATIENCE_MS / 1000} s.\n${causes}`;
}

/** On a terminal, Enter plays another meeting; one at a time. */
function listenForEnter(context: Context, playOne: () => Promise<PlayResult>): () => void {
  if (!context.isTerminal || !process.stdin.isTTY) return () => {};
  const lines = createInterface({ input: process.stdin });
  let playing = false;
  lines.on('line', () => {
    if (playing) return;
    playing = true;
    playOne()
      .catch((error: unknown) => context.write(`${describeError(error)}\n`))
      .finally(() => {
        playing = false;
      });
  });
  return () => lines.close();
}
