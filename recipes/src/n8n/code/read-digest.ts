/** JavaScript that makes one mail of the meetings of a period, for the node "Write the message" behind the schedule. */
export const readDigestCode = String.raw`
const settings = $('Settings').first().json;
const asked = $('Which meetings?').all().map((item) => item.json);
const sections = $input.all().map((item, at) => {
  const report = readReport(item.json.statusCode === 200 ? item.json.data : '{}', { meeting_id: asked[at].id, title: asked[at].title });
  const address = linkOf(settings.link, report.meetingId);
  const facts = factsOf(report).join(' · ');
  const said = item.json.statusCode !== 200 ? 'There is no report (yet).' : report.isTranscriptEmpty ? 'Nothing was transcribed.' : cutText(lineOf(report.summary, 2000), 600);
  const lines = [
    { kind: 'paragraph', pieces: [{ text: [facts, said].filter(Boolean).join(': ') }] },
    ...report.decisions.slice(0, 10).map((text) => ({ kind: 'item', pieces: [{ text: 'Decided: ' + text }] })),
    ...report.tasks.slice(0, 10).map((task) => ({ kind: 'item', pieces: [{ text: (task.owner === '' ? '' : task.owner + ': ') + taskLine(task) }] })),
    ...(address === undefined ? [] : [{ kind: 'paragraph', pieces: [{ text: 'Open the report', link: address }] }]),
  ];
  return { title: report.title, lines };
});
const title = sections.length + (sections.length === 1 ? ' meeting' : ' meetings') + ' since ' + asked[0].since;
const written = mailBody(title, [], sections, undefined);
return listAddresses(settings.mail_to).map((to) => ({ json: { to, subject: title, ...written } }));
`;

/** JavaScript of the node "Which meetings?": an item for each meeting that the search found; none, and the run ends. */
export const listMeetingsCode = String.raw`
let found;
try {
  found = JSON.parse($input.first().json.data);
} catch {
  throw new Error('The search was answered with something that is no JSON: check base_url.');
}
const meetings = [found.followups, found.meetings, found.items].find(Array.isArray) || [];
return meetings.slice(0, 50).map((meeting) => ({
  json: {
    id: String(meeting.id || meeting.meeting_id || ''),
    title: String(meeting.name || meeting.title || ''),
    since: $('Settings').first().json.date_from,
  },
})).filter((item) => item.json.id !== '');
`;
