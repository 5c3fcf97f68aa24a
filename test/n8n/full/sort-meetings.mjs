/** The meetings in which something was said, those with tasks first, and one in which nobody spoke. */
export async function sortMeetings({ url, key }, meetingIds) {
  const said = [];
  let silent;
  for (const id of meetingIds) {
    const answer = await fetch(`${url}/api/video/report?meeting_id=${id}`, { headers: { 'X-API-KEY': key } });
    if (answer.status !== 200) continue;
    const { followup_v2: report } = await answer.json();
    if (report.status === 'failed') continue;
    if (report.is_transcript_empty) silent ??= id;
    else if (report.templates.some(({ entities }) => entities.some(({ name }) => name === 'tasks')))
      said.unshift(id);
    else said.push(id);
  }
  return { said, silent };
}
