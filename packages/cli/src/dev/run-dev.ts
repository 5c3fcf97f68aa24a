import { createInterface } from 'node:readline';

import { describeError, silentLog } from '@aftermeet/queue';

import type { Context } from '../context.ts';
import { createLog } from '../create-log.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Environment } from '../settings/settings.ts';
import { armStopSignal } from '../stop-signal.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { useParts } from '../use-parts.ts';
import { createMeetingPlay, type MeetingPlay, type PlayResult } from './play-meeting.ts';
import { type House, startHouse } from './start-house.ts';

interface DevOptions {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly config?: string;
}

const PATIENCE_MS = 30_000;
const STOP_WITHIN_MS = 15_000;

/** What `aftermeet dev` does. */
export async function runDev(
  context: Context,
  options: DevOptions,
  finish: (code: number) => void,
): Promise<void> {
  const settings = await loadSettings(keepOwnSettings(context.environment), options.config);
  const paint = createPaint(context.isTerminal);
  const say = (text: string): void => {
    if (options.json !== true) context.write(text);
  };
  // The journey is the output; the log speaks up only when something is wrong, or when asked to.
  const level = context.environment['LOG_LEVEL'] === undefined ? 'warn' : settings.log.level;
  const log = options.json === true ? silentLog : await createLog({ ...settings.log, level });
  const stop = armStopSignal(STOP_WITHIN_MS);
  await useParts(context.writeError, async (keep) => {
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
      finish(stop.exitCode());
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
}

/** The sandbox takes the place of the service and of every destination: settings of theirs are not even read. */
function keepOwnSettings(environment: Environment): Environment {
  const foreign = /^(?:SERVICE_(?:BASE_URL|MCP_URL|API_KEY)|SLACK_|NOTION_|SMTP_|MAIL_|IMAP_)/;
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
