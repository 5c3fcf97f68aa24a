import { type Command, Option } from 'commander';

import { collectList } from '../collect-list.ts';
import type { Context } from '../context.ts';
import type { PreviewOptions } from '../recipes/preview-recipes.ts';

/** The kinds of events that the service sends. */
const eventChoices = ['meeting.completed', 'meeting.failed'] as const;

/** `aftermeet recipes preview`: what would be sent for a meeting. */
export function addRecipesPreviewCommand(
  recipes: Command,
  context: Context,
  readConfig: () => { config?: string },
): void {
  recipes
    .command('preview')
    .summary('show what would be sent for a meeting, without sending it')
    .description(
      'Fetches the report of a past meeting and shows what each recipe would make of it: which of its conditions ' +
        'hold, and every message, page, mail and request as it would be sent, with its recipients. Nothing is sent, ' +
        'and nothing is written down as sent. A mail that would wait for approval is marked as a draft.',
    )
    .argument('<meeting-id>', 'the meeting')
    .option('--recipe <name>', 'only this recipe; may be given again', collectList)
    .addOption(
      new Option('--event <event>', 'what has happened to the meeting')
        .choices(eventChoices)
        .default('meeting.completed'),
    )
    .option('--endpoint <name>', 'the endpoint that it is delivered to; without it one that runs the recipe')
    .option(
      '--html [file]',
      'write one page, for your eyes only, that shows each message as its reader sees it',
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
      const { showPreview } = await import('../recipes/preview-recipes.ts');
      await showPreview(context, meetingId, { ...options, ...readConfig() });
    });
}
