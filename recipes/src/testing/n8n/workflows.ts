import { drawWorkflow } from '../../n8n/draw-workflow.ts';
import type { N8nOptions } from '../../n8n/order.ts';
import type { N8nWorkflow } from '../../n8n/workflow.ts';
import type { ConfiguredRecipe } from '../../recipe.ts';

/** The workflow of a recipe for finished meetings, as `toN8nWorkflow` draws it. */
export function drawFor(
  use: string,
  configured: Partial<ConfiguredRecipe> = {},
  options: N8nOptions = {},
): { readonly workflow: N8nWorkflow; readonly notes: readonly string[] } {
  const facts = {
    description: 'A recipe.',
    events: ['meeting.completed'],
    transcript: 'present',
    reads: 'report',
  } as const;
  const made = drawWorkflow({ name: use, use, when: {}, with: {}, ...configured }, facts, options);
  if (made === undefined) throw new Error(`no workflow for ${use}`);
  return made;
}

/** The event that the node "Check the delivery" gives. */
export const event = {
  event: 'meeting.completed',
  meeting_id: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  key: 'meeting.completed|m_1|2026-07-07T12:00:00Z',
  title: 'From the event',
  reason: '',
  is_transcript_empty: false,
};

/** A report in the observed shape, with texts that would do harm where they are not only text. */
export const hostileReport = {
  followup_v2: {
    name: 'Sync <!channel>\r\nBcc: evil@z.io',
    date: '2026-07-07T11:00:00Z',
    duration: 3600,
    source: 'zoom',
    is_transcript_empty: false,
    participants: [
      { name: 'Ann Lee', email: 'ann@example.com' },
      { name: 'carl@example.com', email: 'carl@other.example' },
      null,
    ],
    tags: [{ name: 'Sales' }],
    templates: [
      {
        id: 't_1',
        name: 'Default Meeting',
        entities: [
          {
            name: 'summary',
            text: 'We **agreed** <@U1> & [docs](https://a.example/x) [bad](javascript:alert(1)).\n- one <!here>',
          },
          { name: 'decisions', text: '1. Ship on Friday\n2. <script>alert(1)</script>' },
          {
            name: 'tasks',
            text: {
              actions: [
                { text: 'Send the offer', assignee: { name: 'Ann Lee' }, deadline: '2026-07-10' },
                'Book a room',
                { text: '' },
                7,
              ],
            },
          },
        ],
      },
    ],
  },
};
