import { createClient, type Report } from '@aftermeet/client';
import { contentLanguages, createSandbox } from '@aftermeet/sandbox';

/** Reports of the sandbox's meetings, as the real client reads them. */
export interface SandboxReports {
  /** The two sample meetings, and the seeded ones of every language. */
  readonly usual: readonly Report[];
  /** Of those, one of the sample meetings and one of each language. */
  readonly chosen: readonly Report[];
  /** A meeting of 6,000 segments. */
  readonly long: Report;
}

const meetingsEach = 3;

export async function readSandboxReports(): Promise<SandboxReports> {
  const sandbox = createSandbox({ clock: () => Date.parse('2026-07-07T12:00:00Z'), seed: 7 });
  const { url } = await sandbox.listen();
  try {
    const client = createClient({ baseUrl: url, apiKey: 'sandbox_key' });
    let links = 0;
    const hold = async (scriptId: string): Promise<string> => {
      links += 1;
      const { meetingId } = await client.recordings.start({ link: `https://zoom.us/j/${links}` });
      sandbox.completeMeeting(meetingId, { scriptId });
      return meetingId;
    };
    const read = async (meetingId: string): Promise<Report> => {
      const answer = await client.reports.get(meetingId);
      if (!answer.ready) throw new Error('a sample meeting has no report');
      return nameGuests(answer.report);
    };
    // Of so few none has failed, and in none nothing was said.
    const seeded = contentLanguages.map(
      (language) => sandbox.seed({ meetings: meetingsEach, languages: [language] }).meetingIds,
    );
    const samples = [await hold('launch-review'), await hold('warehouse-sync')];
    const long = await hold('long/6000');
    const usual = await Promise.all([...samples, ...seeded.flat()].map(read));
    const chosenIds = new Set([samples[0], ...seeded.map(([first]) => first)]);
    const chosen = usual.filter(({ meetingId }) => chosenIds.has(meetingId));
    return { usual, chosen, long: await read(long) };
  } finally {
    await sandbox.close();
  }
}

const addresses = ['ann@example.com', 'bob@example.com', 'carl@customer.example'];

/** Those who spoke took part, and have addresses: the sandbox knows their names alone. */
function nameGuests(report: Report): Report {
  const participants = report.speakers.map(({ name }, index) => {
    const email = addresses[index];
    return email === undefined ? { name } : { name, email };
  });
  return { ...report, participants };
}
