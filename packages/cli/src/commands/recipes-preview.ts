import { resolve } from 'node:path';

import { type Command, Option } from 'commander';

import type { CommandContext } from '../context.ts';
import { collectList } from '../options.ts';
import type { MeetingChoice } from '../recipes/preview-meeting.ts';
import { MEETING_HELP } from '../service/meeting-id.ts';
import { createPaint, formatItems, formatJson } from '../terminal/format.ts';
import { quoteWord } from '../terminal/text.ts';

interface PreviewOptions extends MeetingChoice {
  /** A file; true: one named after the meeting. */
  readonly html?: string | true;
}

/** `aftermeet recipes preview`: shows what would be sent for a meeting. */
export function addPreviewCommand(recipes: Command, context: CommandContext): void {
  recipes
    .command('preview')
    .summary('show what would be sent for a meeting, without sending it')
    .description(
      'Fetches the report of a past meeting and shows what each recipe would make of it: which of its conditions ' +
        'hold, where its messages go, and what they say. --html shows every message, page, mail and request as its ' +
        'reader sees it, --json as it is sent. Nothing is sent or recorded as sent. A mail that would wait for approval is marked as a draft.',
    )
    .argument('<meeting-id>', MEETING_HELP)
    .option('--recipe <name>', 'only this recipe; may be repeated', collectList)
    .addOption(
      new Option('--event <event>', 'event of the meeting (default: as its report says)').choices([
        'meeting.completed',
        'meeting.failed',
      ]),
    )
    .option('--endpoint <name>', 'endpoint that receives it (default: the one where the meeting arrived)')
    .option(
      '--html [file]',
      'write a page, readable only by you, that shows each message as its reader sees it',
    )
    .option('--json', 'print the payloads as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet recipes preview m_42\n' +
        '  aftermeet recipes preview m_42 --recipe sales-recap --html\n' +
        '  aftermeet recipes preview m_42 --event meeting.failed --json',
    )
    .action(async (meetingId: string, options: PreviewOptions) => {
      const { describeArrival, describeUnknown, previewMeeting } =
        await import('../recipes/preview-meeting.ts');
      const { formatPreviews, viewPreview, writeMessages } = await import('../recipes/preview-text.ts');
      const found = await previewMeeting(context, meetingId, options);
      const { title, eventKind, arrival, previews, unknownPeople } = found;
      if (options.html !== undefined) {
        const { renderPreviewPage, savePreviewPage } = await import('../recipes/preview-page.ts');
        const isNamed = typeof options.html === 'string';
        const file = resolve(typeof options.html === 'string' ? options.html : defaultFile(meetingId));
        await savePreviewPage(file, await renderPreviewPage(title, previews), { isNamed });
        context.write(options.json === true ? formatJson({ file }) : `Written: ${quoteWord(file)}\n`);
      } else if (options.json === true) {
        const facts = { meetingId, title, event: eventKind, endpoint: arrival.endpoint, unknownPeople };
        context.write(formatItems(previews.map(viewPreview), facts));
      } else {
        const text = formatPreviews(previews, createPaint(context), await writeMessages(previews));
        context.write(
          `${title}: ${eventKind}. Nothing is sent. ${describeArrival(arrival)}\n\n${text}\n` +
            describeUnknown(unknownPeople) +
            'As their readers see them: --html writes a page. As they are sent: --json.\n',
        );
      }
    });
}

function defaultFile(meetingId: string): string {
  return `aftermeet-preview-${meetingId.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}.html`;
}
