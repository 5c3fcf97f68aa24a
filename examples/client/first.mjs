// Records a meeting, waits for its report, and prints the tasks. Against the sandbox: `npx aftermeet sandbox`.
// #region first
import { createClient } from '@aftermeet/client';

const client = createClient({
  baseUrl: process.env.SERVICE_BASE_URL ?? 'http://127.0.0.1:4010',
  apiKey: process.env.SERVICE_API_KEY ?? 'sandbox_key',
});
const { meetingId } = await client.recordings.start({
  link: 'https://meet.example/abc',
  title: 'Weekly sync',
});
console.log(meetingId);
await client.recordings.waitUntilReady(meetingId, { onStatus: ({ phase }) => console.log(phase) });
const answer = await client.reports.get(meetingId);
if (answer.ready) console.log(answer.report.title, answer.report.tasks);
// #endregion
