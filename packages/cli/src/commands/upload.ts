import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import type { UploadProgress, UploadResult, UploadSource } from '@aftermeet/client';
import type { Command } from 'commander';

import type { CommandContext, Context } from '../context.ts';
import { WrongUse } from '../errors.ts';
import { rememberOrder } from '../operate/meeting-endpoint.ts';
import { omitUndefined, parseWhole } from '../options.ts';
import { addTimeOptions, describeTime, readTime } from '../service/given-time.ts';
import { waitForNewMeeting } from '../service/meeting-status.ts';
import { withSavedInput } from '../service/saved-input.ts';
import { readTemplate } from '../service/template-name.ts';
import { addWebhookOptions, readWebhook, type WebhookOptions } from '../service/webhook-options.ts';
import { withService } from '../service/with-service.ts';
import type { Environment } from '../settings/settings.ts';
import { formatBytes, formatJson } from '../terminal/format.ts';
import type { ProgressView } from '../terminal/progress.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';

interface UploadOptions extends WebhookOptions {
  readonly title?: string;
  readonly template?: string;
  readonly at?: string;
  readonly timezone?: string;
  readonly speakers?: number;
  readonly filename?: string;
  readonly parallel?: number;
  readonly force?: boolean;
  readonly anyType?: boolean;
  readonly wait?: boolean;
}

const STDIN = '-';
const MAX_PARALLEL = 4;
const MAX_SPEAKERS = 1000;

/** `aftermeet upload`: makes a meeting of a recorded file. */
export function addUploadCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('upload')
    .summary('upload a recorded file')
    .description(
      'Uploads an audio or video file of up to 3 GB in chunks; the service makes a meeting of it. Running the same ' +
        'command again resumes an interrupted upload, and a file that was uploaded before is not uploaded twice. ' +
        'State is kept in aftermeet/uploads below XDG_STATE_HOME or ~/.local/state (on Windows below LOCALAPPDATA).',
    )
    .argument('<file>', 'file; - reads piped input')
    .option('--title <text>', 'meeting title')
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists');
  addTimeOptions(command, 'when the meeting took place', 'yesterday 12:00')
    .option('--speakers <number>', 'number of speakers', parseWhole('a number', 1, MAX_SPEAKERS))
    .option('--filename <name>', 'file name of piped input, such as meeting.mp3')
    .option(
      '--parallel <number>',
      `chunks to send at once, 1 to ${MAX_PARALLEL}; each takes 20 MiB of memory (default: 1)`,
      parseWhole('a number', 1, MAX_PARALLEL),
    )
    .option(
      '--force',
      'send everything again even if it was uploaded before; the service may still recognise the content and keep the meeting it has',
    )
    .option('--any-type', 'upload a text, a document, a picture, an archive or a program as well');
  addWebhookOptions(command)
    .option('--wait', 'wait until the report is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet upload meeting.mp4 --title "Weekly sync" --wait\n' +
        '  ffmpeg -i meeting.mkv -vn -f mp3 - | aftermeet upload - --filename meeting.mp3',
    )
    .action(async (file: string, options: UploadOptions) => {
      const { json } = options;
      const source = readSource(file, options, context);
      const webhook = await readWebhook(options, context, 'upload');
      const time = readTime(options, context);
      const details = {
        ...omitUndefined({
          title: options.title,
          localTime: time,
          speakersNumber: options.speakers,
        }),
        ...webhook.input,
      };
      const stopped =
        file === STDIN
          ? 'Stopped. Piped input is not kept: the next run starts from the beginning.'
          : 'Stopped. Run the same command again to resume.';
      const { raw: _raw, ...result } = await withService(
        context,
        { json, stopped, clientOptions: webhook.clientOptions },
        async ({ client, call, progress }) => {
          const template = await readTemplate({ client, call, warn: context.writeError }, options.template);
          const send = (opened: UploadSource): Promise<UploadResult> =>
            client.uploads.send(
              opened,
              { ...details, ...template },
              {
                ...call,
                anyType: options.anyType,
                ...omitUndefined({ force: options.force, parallel: options.parallel }),
                ...readStateFolder(context, json),
                onProgress: (now) => progress.show(viewProgress(now)),
              },
            );
          if ('path' in source) return send(source);
          const { input, filename } = source;
          return withSavedInput(input, call.signal, (saved) => send({ ...saved, filename }));
        },
      );
      if (options.endpoint !== undefined) {
        await rememberOrder(context, { meetingId: result.meetingId, endpoint: options.endpoint });
      }
      if (json !== true) context.write(describeUpload(result, options, describeTime(options, time)));
      if (options.wait === true) context.finish(await waitForNewMeeting(context, json, result));
      else if (json === true) context.write(formatJson(result));
    });
}

type GivenSource =
  | { readonly path: string }
  | { readonly input: AsyncIterable<Uint8Array>; readonly filename: string };

function readSource(file: string, { filename }: UploadOptions, { openInput }: Context): GivenSource {
  if (file !== STDIN) {
    if (filename === undefined) return { path: file };
    throw new WrongUse('--filename is for piped input: a file already has its name.\n');
  }
  if (filename === undefined) {
    throw new WrongUse('Piped input has no name: set it with --filename, such as meeting.mp3.\n');
  }
  const input = openInput?.();
  if (input === undefined) throw new WrongUse('There is no piped input: name a file instead of -.\n');
  return { input, filename };
}

function viewProgress({ step, doneBytes, totalBytes }: UploadProgress): ProgressView {
  if (step === 'completing') return { kind: 'wait', label: step };
  return { kind: 'bytes', label: step, doneBytes, totalBytes };
}

function describeUpload(
  result: Omit<UploadResult, 'raw'>,
  { title, wait }: UploadOptions,
  time: string,
): string {
  const { meetingId, duplicate, bytes, chunks } = result;
  const lines: string[] = [];
  if (duplicate) {
    lines.push(
      chunks.sent === 0
        ? 'This content was uploaded before: nothing was sent. --force sends it again.'
        : 'The service already had this content: it made no new meeting.',
    );
    if (title !== undefined) lines.push('The title was not used: the meeting keeps the one it has.');
  } else {
    if (chunks.skipped > 0) {
      lines.push(`Resumed an earlier upload: ${chunks.skipped} of ${chunks.total} chunks were there.`);
    }
    lines.push(`Uploaded ${formatBytes(bytes)}.`);
  }
  lines.push(`${time}Meeting ${cleanLine(meetingId)}`);
  if (wait !== true) lines.push(`Check its status: aftermeet status ${pasteWord(meetingId)} --wait`);
  return `${lines.join('\n')}\n`;
}

/**
 * The folder of upload state: the user's state folder (XDG Base Directory Specification, which ignores relative
 * paths), on Windows the one for local data. Undefined if no variable has an absolute path and the system knows no home
 * folder: state must not end up in the current folder.
 */
export function findStateFolder(
  environment: Environment,
  platform: NodeJS.Platform,
  findHome: () => string = homedir,
): string | undefined {
  const isWindows = platform === 'win32';
  const configured = ifAbsolute(environment[isWindows ? 'LOCALAPPDATA' : 'XDG_STATE_HOME']);
  if (configured !== undefined) return join(configured, 'aftermeet', 'uploads');
  const home =
    ifAbsolute(environment['HOME']) ??
    ifAbsolute(environment['USERPROFILE']) ??
    ifAbsolute(askForHome(findHome));
  const below = isWindows ? ['AppData', 'Local'] : ['.local', 'state'];
  return home && join(home, ...below, 'aftermeet', 'uploads');
}

/** The state folder as an option of an upload; warns if there is none. */
export function readStateFolder(
  { environment, writeError }: Context,
  json: boolean | undefined,
  findHome: () => string = homedir,
): { readonly stateFolder?: string } {
  const stateFolder = findStateFolder(environment, process.platform, findHome);
  if (stateFolder !== undefined) return { stateFolder };
  if (json !== true) {
    writeError(
      'There is no home folder for upload state: an interrupted upload cannot be resumed. Set HOME to an absolute path.\n',
    );
  }
  return {};
}

/** `homedir` throws for a user without an entry, as in some containers. */
function askForHome(findHome: () => string): string | undefined {
  try {
    return findHome();
  } catch {
    return undefined;
  }
}

function ifAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
