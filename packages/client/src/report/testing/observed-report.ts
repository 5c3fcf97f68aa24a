/** A body of `GET /api/video/report` in the observed shape; a new one each time. */
export function makeObservedReport() {
  return {
    followup_v2: {
      name: 'Sales sync',
      date: '2026-07-07T12:00:00Z',
      local_date_time: '2026-07-07T15:00:00+03:00',
      duration: 1800,
      source: 'gmeet',
      status: 'processed',
      is_transcript_empty: false,
      keywords: ['price', 'price', 'pilot'],
      participants: 'ann@example.com, Bob Ray <bob@example.com>',
      speakers: [{ id: 1, speaker: 'Ann', color: '#fff' }, 'Bob'],
      chapters: [
        {
          name: 'Opening',
          startSeconds: 0,
          endSeconds: '10:00',
          transcript: [
            { speaker: { speaker: 'Ann' }, text: 'Hello', timestamp: '00:05' },
            { speaker: 'Bob', text: 'Hi', startSeconds: 7.5, endSeconds: 8 },
          ],
        },
        {
          name: 'Offer',
          startSeconds: 601,
          endSeconds: 1800,
          transcript: [
            { speaker: 'Bob', text: 'The price?', startSeconds: 601, endSeconds: 603.25 },
            { speaker: { speaker: 'Ann' }, text: 'A pilot first.', timestamp: '00:10:05.500' },
          ],
        },
      ],
      templates: [
        {
          id: 42,
          name: 'Sales Meeting',
          entities: [
            { name: 'sales_general', text: '# Sales\nThey want a pilot.' },
            { name: 'summary', text: '# Summary\nWe agreed on a pilot.' },
            { name: 'decisions', text: '- Start the pilot\n- Meet on Friday' },
            {
              name: 'tasks',
              text: {
                actions: [
                  {
                    text: 'Send the offer',
                    assignee: { name: 'Ann' },
                    deadline: '2026-07-10',
                    timestamp: '10:07',
                  },
                  { text: 'Book a room', assignee: null, deadline: 'Friday' },
                ],
              },
            },
          ],
        },
        { id: '9f1c', name: 'Default Meeting', entities: [{ name: 'tasks', text: '- Send the offer' }] },
      ],
    },
    feedback: null,
    media_type: 'video',
    tags: [{ id: 7, name: 'sales', color: 'blue' }, 'q3'],
  };
}
