import type { UploadProgress, UploadSource } from '@aftermeet/client';
import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { parseWhole } from '../parse-whole.ts';
import { describeUpload } from '../service/describe-upload.ts';
import { addEndpointOption, type EndpointOptions, readEndpoint } from '../service/endpoint-option.ts';
import { readStateFolder } from '../service/find-state-folder.ts';
import { waitForNewMeeting } from '../service/wait-for-new-meeting.ts';
import { addWebhookOptions, readWebhook } from '../service/webhook-options.ts';
import { withService } from '../service/with-service.ts';
import { formatJson } from '../terminal/format-json.ts';
import type { ProgressView } from '../terminal/format-progress.ts';
import { WrongUse } from '../wrong-use.ts';

interface UploadCommandOptions extends EndpointOptions {
  readonly title?: string;
  readonly template?: string;
  readonly at?: string;
  readonly speakers?: number;
  readonly filename?: string;
  readonly parallel?: number;
  readonly force?: boolean;
  readonly wait?: boolean;
}

const STDIN = '-';
const MOST_PARALLEL = 4;
const MOST_SPEAKERS = 1000;

/** `aftermeet upload`: a recorded file becomes a meeting. */
export function addUploadCommand(program: Command, context: Context, finish: (code: number) => void): void {
  const command = program
    .command('upload')
    .summary('upload a recorded file')
    .description(
      'Uploads an audio or video file of up to 3 GB in chunks; the service makes a meeting of it. An upload that ' +
        'broke off goes on where it was when the same command runs again, and a file that was uploaded before is ' +
        'not uploaded twice. Both are noted in aftermeet/uploads below XDG_STATE_HOME or ~/.local/state ' +
        '(on Windows below LOCALAPPDATA).',
    )
    .argument('<file>', 'the file; - reads what is piped in')
    .option('--title <text>', 'meeting title')
    .option('--template <template>', 'report template: a name or id that aftermeet templates lists')
    .option('--at <time>', 'when the meeting took place, such as 2026-07-07T12:00:00+03:00')
    .option('--speakers <number>', 'how many people speak', parseWhole('a number', 1, MOST_SPEAKERS))
    .option('--filename <name>', 'file name of what is piped in, such as meeting.mp3')
    .option(
      '--parallel <number>',
      `chunks to send at once, 1 to ${MOST_PARALLEL}; each takes 20 MiB of memory (default: 1)`,
      parseWhole('a number', 1, MOST_PARALLEL),
    )
    .option(
      '--force',
      'sends everything again even if it was uploaded before; the service may still know the content and keep the meeting it has',
    );
  addWebhookOptions(addEndpointOption(command))
    .option('--wait', 'wait until the report is ready, for an hour at most')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet upload meeting.mp4 --title "Weekly sync" --wait\n' +
        '  ffmpeg -i meeting.mkv -vn -f mp3 - | aftermeet upload - --filename meeting.mp3',
    )
    .action(async (file: string, options: UploadCommandOptions) => {
      const { json } = options;
      const source = readSource(file, options, context);
      const { config: configPath } = program.opts<{ config?: string }>();
      const endpoint = await readEndpoint(options, context, { kind: 'upload', configPath });
      const details = {
        ...dropAbsent({
          title: options.title,
          template_name: options.template,
          localTime: options.at,
          speakers_number: options.speakers,
        }),
        ...readWebhook(options, context),
        ...endpoint.input,
      };
      const stopped =
        file === STDIN
          ? 'Stopped. What was piped in is not kept: the next run begins anew.'
          : 'Stopped. Run the same command again: it goes on where it stopped.';
      const { raw: _raw, ...result } = await withService(
        context,
        { json, stopped, clientOptions: endpoint.client },
        ({ client, call, progress }) =>
          client.uploads.send(source, details, {
            ...call,
            ...dropAbsent({ force: options.force, parallel: options.parallel }),
            ...readStateFolder(context, json),
            onProgress: (now) => progress.show(viewProgress(now)),
          }),
      );
      if (json !== true) {
        const shown = { isFollowed: options.wait === true, hasTitle: options.title !== undefined };
        context.write(describeUpload(result, shown));
      }
      if (options.wait === true) finish(await waitForNewMeeting(context, json, result));
      else if (json === true) context.write(formatJson(result));
    });
}

function readSource(file: string, { filename }: UploadCommandOptions, { openInput }: Context): UploadSource {
  if (file !== STDIN) {
    if (filename === undefined) return { path: file };
    throw new WrongUse('--filename names what is piped in: a file has its name already.\n');
  }
  if (filename === undefined) {
    throw new WrongUse('What is piped in has no name: give it one with --filename, such as meeting.mp3.\n');
  }
  const stream = openInput?.();
  if (stream === undefined) throw new WrongUse('Nothing is piped in: name a file instead of -.\n');
  return { stream, filename };
}

function viewProgress({ step, doneBytes, totalBytes }: UploadProgress): ProgressView {
  if (step === 'completing') return { kind: 'wait', label: step };
  return { kind: 'bytes', label: step, doneBytes, totalBytes };
}
