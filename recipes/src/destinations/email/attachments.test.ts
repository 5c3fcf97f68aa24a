import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import type { ServiceActions } from '../../engine/destination.ts';
import { openAttachmentStore, spoolExports, type Spooling } from './attachments.ts';
import type { StartTimer } from './smtp-connection.ts';

const faultCodes: readonly ServiceErrorCode[] = [
  'bad_request',
  'connection',
  'file_system',
  'not_found',
  'not_ready',
  'rate_limited',
  'server',
  'unauthorized',
  'unreadable',
];

/** A service of which each format is a file, or a fault. */
function serve(answers: Readonly<Record<string, string>>): Pick<ServiceActions, 'exports'> {
  return {
    exports: {
      download: () => Promise.reject(new Error('not needed here')),
      stream: ({ format }) => {
        const answer = answers[format] ?? 'not_found';
        if (!answer.startsWith('%')) {
          const code = faultCodes.find((one) => one === answer) ?? 'server';
          return Promise.reject(new ServiceError({ code, operation: 'exports.download', status: 500 }));
        }
        const pieces = answer.split('|').map((piece) => Buffer.from(piece));
        return Promise.resolve({ stream: Readable.from(pieces), filename: `Weekly sync.${format}` });
      },
    },
  };
}

function open(spooling: Spooling) {
  if (spooling.result !== 'ready') throw new Error(spooling.cause);
  return spooling;
}

function countFiles(): number {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('aftermeet-mail-')).length;
}

describe('spoolExports', () => {
  it('fetches each format once, to be read as often as it is sent, and leaves no file behind', async () => {
    const before = countFiles();
    const spooled = open(await spoolExports(serve({ pdf: '%P|DF', md: '%md' }), 'm_1', ['pdf', 'md', 'pdf']));
    expect(countFiles()).toBe(before);
    expect(spooled.files.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['Weekly sync.pdf', 'application/pdf'],
      ['Weekly sync.md', 'text/markdown; charset=utf-8'],
    ]);
    const [pdf] = spooled.files;
    if (pdf === undefined) throw new Error('no file');
    expect((await buffer(pdf.read())).toString()).toBe('%PDF');
    expect((await buffer(pdf.read())).toString()).toBe('%PDF');
    await spooled.discard();
    await spooled.discard();
  });

  it('leaves out what would make the mail too large, and says so', async () => {
    const spooled = open(
      await spoolExports(serve({ pdf: '%123|45', docx: '%1234' }), 'm_1', ['pdf', 'docx'], { limit: 8 }),
    );
    expect(spooled.files.map(({ filename }) => filename)).toEqual(['Weekly sync.pdf']);
    expect(spooled.notes).toEqual(['The report as DOCX is too large to be attached.']);
    await spooled.discard();
    const store = openAttachmentStore(serve({ pdf: 'not_found' }), 1000);
    const german = open(await store.fetch({ attach: ['pdf'], meetingId: 'm_1', language: 'de' }));
    expect(german.notes).toEqual(['Der Bericht konnte nicht als PDF angehängt werden.']);
    await store.close();
  });

  it.each(['not_found', 'bad_request', 'unreadable'])('does without a file after %s', async (code) => {
    const before = countFiles();
    const spooled = open(await spoolExports(serve({ pdf: code }), 'm_1', ['pdf']));
    expect(spooled.files).toEqual([]);
    expect(spooled.notes).toEqual(['The report as PDF could not be attached.']);
    expect(countFiles()).toBe(before);
  });

  it.each(['connection', 'not_ready', 'rate_limited', 'server', 'file_system'])(
    'sends nothing yet after %s',
    async (code) => {
      const before = countFiles();
      expect(await spoolExports(serve({ pdf: '%PDF', md: code }), 'm_1', ['pdf', 'md'])).toEqual({
        result: 'not_sent_retry',
        cause: `the attachment cannot be fetched now: ${code} (500)`,
      });
      expect(countFiles()).toBe(before);
    },
  );

  it('tells a refused API key from what is wrong with a file', async () => {
    expect(await spoolExports(serve({ pdf: 'unauthorized' }), 'm_1', ['pdf'])).toEqual({
      result: 'not_sent_retry',
      cause: 'the attachment cannot be fetched now: unauthorized (500)',
      isKeyRefused: true,
    });
  });

  it('ends a download that never does, and says when it is time to', async () => {
    const before = countFiles();
    const dripping = new Readable({ read() {} });
    dripping.push('%P');
    const exports: ServiceActions['exports'] = {
      download: () => Promise.reject(new Error('not needed here')),
      stream: () => Promise.resolve({ stream: dripping, filename: 'Weekly sync.pdf' }),
    };
    const ends: (() => void)[] = [];
    const times: number[] = [];
    let isCalledOff = false;
    const start: StartTimer = (ms, end) => {
      times.push(ms);
      ends.push(end);
      return () => {
        isCalledOff = true;
      };
    };
    const spooling = spoolExports({ exports }, 'm_1', ['pdf'], { start });
    for (const end of ends) end();
    expect(await spooling).toEqual({
      result: 'not_sent_retry',
      cause: 'the attachment did not come in time',
    });
    expect([times, isCalledOff, dripping.destroyed]).toEqual([[60_000], true, true]);
    expect(countFiles()).toBe(before);
  });

  it('does without files where there is no service', async () => {
    const spooled = open(await spoolExports(undefined, 'm_1', ['pdf']));
    expect(spooled.notes).toEqual(['The report as PDF could not be attached.']);
  });
});

describe('openAttachmentStore', () => {
  it('lets go of what was never sent when it is closed', async () => {
    const spool = openAttachmentStore(serve({ pdf: '%PDF' }), 60_000);
    const spooled = open(await spool.fetch({ attach: ['pdf'], meetingId: 'm_1' }));
    await spool.close();
    await expect(spooled.files[0]?.read().toArray()).rejects.toThrow();
  });
});
