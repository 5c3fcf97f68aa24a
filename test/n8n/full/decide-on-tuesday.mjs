const dayMs = 86_400_000;
const tuesday = 2;

/** Gives the sandbox a meeting of the Tuesday before today, at noon, in which one thing was decided. */
export async function decideOnTuesday({ url, sandbox }) {
  const nowMs = sandbox.clock.now();
  const daysAgo = ((new Date(nowMs).getUTCDay() - tuesday + 6) % 7) + 1;
  const day = new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
  const decision = 'We ship the new plan on Friday';
  const answer = await fetch(`${url}/_sandbox/meetings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Planning',
      start: `${day}T12:00:00Z`,
      summary: 'The plan was discussed.',
      decisions: [decision],
      chapters: [{ name: 'All of it', lines: [{ speaker: 'Ann', text: 'Then we ship.' }] }],
    }),
  });
  if (!answer.ok) throw new Error(`the sandbox took no meeting: ${answer.status} ${await answer.text()}`);
  return { day, decision, meetingId: (await answer.json()).meeting_id };
}
