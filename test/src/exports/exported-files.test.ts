import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { createClient, type Client } from '@aftermeet/client';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { describeWithProgram, makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterAll, beforeAll, expect, it } from 'vitest';

const title = 'Überblick · Ωμέγα · Планы «Рига»';
let sandbox: Sandbox;
let client: Client;
let meetingId: string;
let folder: TemporaryFolder;

beforeAll(async () => {
  sandbox = createSandbox({ clock: () => Date.parse('2026-07-07T12:00:00Z'), seed: 7 });
  const { url } = await sandbox.listen();
  client = createClient({ baseUrl: url, apiKey: 'sandbox_key' });
  // The second sample meeting has speakers with names in Cyrillic script.
  await client.recordings.start({ link: 'https://zoom.us/j/1' });
  ({ meetingId } = await client.recordings.start({ link: 'https://zoom.us/j/2', title }));
  sandbox.completeMeeting(meetingId);
  folder = await makeTemporaryFolder();
});

afterAll(async () => {
  folder.remove();
  await sandbox.close();
});

async function exportTo(format: 'pdf' | 'docx' | 'md'): Promise<string> {
  const path = join(folder.path, `meeting.${format}`);
  await client.exports.download({ meetingId: meetingId, format }, path, { overwrite: true });
  return path;
}

/** What the program prints; a complaint of it fails the test. */
function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args);
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  return stdout.toString();
}

describeWithProgram('qpdf', 'an exported PDF', () => {
  it('has no fault that qpdf can find', async () => {
    expect(run('qpdf', '--check', await exportTo('pdf'))).toContain(
      'No syntax or stream encoding errors found',
    );
  });
});

describeWithProgram(
  'pdftotext',
  'the text of an exported PDF',
  () => {
    it('is found, with question marks for what Latin-1 does not hold', async () => {
      const text = run('pdftotext', '-layout', await exportTo('pdf'), '-');
      expect(text).toContain('Überblick · ????? · ????? «????»');
      expect(text).toMatch(/^- Speakers: \?{4} \?{8}, Liam O'Brien, \?{7} \?{5}$/m);
      expect(text).toContain('00:04 ???? ????????: Good morning.');
      expect(text).toContain('about ?240 each (?1,440 in all)');
      expect(text).not.toContain('**');
    });
  },
  { probe: ['-v'], debianPackage: 'poppler-utils' },
);

describeWithProgram('pandoc', 'an export read by pandoc', () => {
  it('is a Word document', async () => {
    const text = run('pandoc', '--from=docx', '--to=markdown', '--wrap=none', await exportTo('docx'));
    expect(text.split('\n').filter((line) => /^\*\*.*\*\*$/.test(line))).toEqual([
      '**Überblick · Ωμέγα · Планы «Рига»**',
      '**Summary**',
      '**Decisions**',
      '**Tasks**',
      '**Transcript**',
      '**Last week in numbers**',
      '**New scanners**',
      '**The holiday week**',
    ]);
    expect(text).toContain('00:04 Анна Соколова: Good morning.');
    expect(text).toContain('Six new scanners are ordered today, about €240 each');
  });

  it('is Markdown', async () => {
    const text = run('pandoc', '--from=gfm', '--to=plain', '--wrap=none', await exportTo('md'));
    expect(text).toContain("Approve the purchase of six scanners (Liam O'Brien, due 2026-07-07)");
  });
});
