import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { createCollection } from './collection.ts';
import { DataFolderError } from './data-folder-error.ts';
import type { Journal } from './journal.ts';
import { createKept } from './kept.ts';
import { openDataFolder } from './open-data-folder.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const head = '{"format":"aftermeet-sandbox","version":1}\n';

let root: string;
let statePath: string;
let lockPath: string;
let opened: Journal[];

beforeEach(() => {
  root = join(makeTestFolder(), 'data');
  statePath = join(root, 'state.jsonl');
  lockPath = join(root, 'lock');
  opened = [];
});

afterEach(() => {
  for (const journal of opened) journal.close();
  rmSync(join(root, '..'), { recursive: true });
});

function open(atMs = nowMs): Journal {
  const { journal } = openDataFolder(root, () => atMs);
  opened.push(journal);
  return journal;
}

/** What the next process would find, without the end of this one. */
function reopen(): Journal {
  rmSync(lockPath);
  return open();
}

const noteSchema = z.object({ id: z.string(), text: z.string() }).readonly();

const openNotes = (journal: Journal, limit = Infinity) =>
  createCollection({ name: 'notes', schema: noteSchema, keyOf: ({ id }) => id, journal, limit });

/** Opens a folder whose state file is this. */
function openState(state: string | Uint8Array): Journal {
  mkdirSync(root);
  writeFileSync(statePath, state);
  return open();
}

describe('a data folder', () => {
  it('holds a collection for the next process, in its order', () => {
    const notes = openNotes(open());
    notes.put({ id: 'a', text: 'one' });
    notes.put({ id: 'b', text: 'Zoë\u2028\n"' });
    notes.put({ id: 'c', text: 'three' });
    notes.put({ id: 'a', text: 'changed' });
    notes.remove('c');
    expect(openNotes(reopen()).list()).toEqual([
      { id: 'a', text: 'changed' },
      { id: 'b', text: 'Zoë\u2028\n"' },
    ]);
  });

  it('holds a single value, and its first one again after a reset', () => {
    const count = createKept(open(), 'count', z.int(), 3);
    expect(count.read()).toBe(3);
    count.write(4);
    const again = createKept(reopen(), 'count', z.int(), 3);
    expect(again.read()).toBe(4);
    again.reset();
    expect(again.read()).toBe(3);
    expect(createKept(reopen(), 'count', z.int(), 5).read()).toBe(5);
  });

  it('finds what any changes left, however often it is opened', () => {
    // Half a character among them. The library's own `binary` is a second in the making.
    const unit = fc.constantFrom('a', 'ß', '字', '😀', '\ud800', '"', '\\', '\n', '\u2028', '\0');
    const change = fc.oneof(
      fc.record({ id: fc.constantFrom('a', 'b', '__proto__'), text: fc.string({ unit }) }),
      fc.constantFrom('remove a', 'clear', 'reopen', 'together'),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let journal = open();
        let notes = openNotes(journal, 2);
        notes.clear();
        for (const step of changes) {
          if (typeof step === 'object') notes.put(step);
          else if (step === 'remove a') notes.remove('a');
          else if (step === 'clear') notes.clear();
          else if (step === 'reopen') {
            const before = notes.list();
            journal.close();
            journal = open();
            notes = openNotes(journal, 2);
            expect(notes.list()).toEqual(before);
          } else {
            journal.together(() => {
              notes.remove('b');
              journal.together(() => notes.put({ id: 'b', text: 'together' }));
            });
          }
        }
        const before = notes.list();
        journal.close();
        journal = open();
        expect(openNotes(journal).list()).toEqual(before);
        journal.close();
      }),
      { numRuns: 12 },
    );
  });

  it('keeps changes that happen together on one line', () => {
    const journal = open();
    const notes = openNotes(journal);
    journal.together(() => {
      notes.put({ id: 'a', text: 'one' });
      notes.put({ id: 'b', text: 'two' });
      expect(readFileSync(statePath, 'utf8')).toBe(head);
    });
    const line =
      '[{"put":"notes","key":"a","value":{"id":"a","text":"one"}},{"put":"notes","key":"b","value":{"id":"b","text":"two"}}]\n';
    expect(readFileSync(statePath, 'utf8')).toBe(head + line);
    truncateSync(statePath, head.length + line.length - 2);
    expect(openNotes(reopen()).list()).toEqual([]);
  });

  it('keeps nothing once it is closed', () => {
    const journal = open();
    const notes = openNotes(journal);
    notes.put({ id: 'a', text: 'one' });
    journal.close();
    notes.clear();
    journal.together(() => notes.put({ id: 'b', text: 'two' }));
    expect(openNotes(open()).list()).toEqual([{ id: 'a', text: 'one' }]);
  });

  it('is for nobody but its user', () => {
    openNotes(open()).put({ id: 'a', text: 'secret' });
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([root, join(root, 'uploads'), statePath, lockPath].map(mode)).toEqual([
      0o700, 0o700, 0o600, 0o600,
    ]);
  });

  it('gets a new snapshot when it has grown beyond the old one', () => {
    const notes = openNotes(open());
    for (let number = 0; number < 30; number += 1) notes.put({ id: 'a', text: 'x'.repeat(50_000) });
    notes.put({ id: 'b', text: 'after it' });
    expect(statSync(statePath).size).toBeLessThan(600_000);
    expect(openNotes(reopen()).count()).toBe(2);
    expect(readdirSync(root).toSorted()).toEqual(['lock', 'state.jsonl', 'uploads']);
  });

  it('goes on without a new snapshot where none can be written', () => {
    const notes = openNotes(open());
    mkdirSync(`${statePath}.tmp`);
    for (let number = 0; number < 30; number += 1)
      notes.put({ id: String(number), text: 'x'.repeat(50_000) });
    expect(statSync(statePath).size).toBeGreaterThan(1_500_000);
    rmSync(`${statePath}.tmp`, { recursive: true });
    expect(openNotes(reopen()).count()).toBe(30);
  });
});

describe('a state file', () => {
  it('may end in the middle of a line', () => {
    const torn = Buffer.from('{"put":"notes","key":"b","value":{"id":"b","text":"é').subarray(0, -1);
    const whole = '{"put":"notes","key":"a","value":{"id":"a","text":"one"}}\n';
    const notes = openNotes(openState(Buffer.concat([Buffer.from(head + whole), torn])));
    expect(notes.list()).toEqual([{ id: 'a', text: 'one' }]);
    notes.put({ id: 'c', text: 'after it' });
    expect(openNotes(reopen()).count()).toBe(2);
  });

  it('may be without its last line feed', () => {
    const notes = openNotes(openState(`${head}{"put":"notes","key":"a","value":{"id":"a","text":"one"}}`));
    expect(notes.list()).toEqual([{ id: 'a', text: 'one' }]);
  });

  it('may hold collections that nobody asks for', () => {
    openState(`${head}{"put":"later","key":"a","value":1}\n`);
    expect(reopen().load('later', z.int())).toEqual([1]);
  });

  const broken = /state\.jsonl, line 2, is broken\. Restore the file from a copy/;
  it.each<[string, string | Uint8Array, RegExp]>([
    ['is broken in the middle', `${head}{"put":"no\n{"clear":"notes"}\n`, broken],
    ['holds another object', `${head}{"put":"notes"}\n`, broken],
    ['holds more than a change', `${head}{"clear":"notes","more":1}\n`, broken],
    [
      'is no UTF-8',
      Buffer.concat([Buffer.from(`${head}{"clear":"`), Buffer.from([0xff, 0x22, 0x7d, 0x0a])]),
      broken,
    ],
    ['has an empty line', `${head}\n`, broken],
    ['is empty', '', /state\.jsonl is no state file of a sandbox\. Name another folder/],
    ['is something else', '{"version":1}\n', /is no state file/],
    ['has a torn head', head.slice(0, 20), /is no state file/],
    [
      'is newer',
      '{"format":"aftermeet-sandbox","version":2,"more":true}\n{"new":1}\n',
      /state\.jsonl was written by a newer version of the sandbox \(format 2; this one reads 1\)\. Use that version/,
    ],
  ])('is refused when it %s, and left as it is', (_name, state, message) => {
    expect(() => openState(state)).toThrow(DataFolderError);
    expect(() => open()).toThrow(message);
    expect(readFileSync(statePath)).toEqual(Buffer.from(state));
    expect(existsSync(lockPath)).toBe(false);
  });

  it('is refused when it holds a value that the sandbox does not know', () => {
    const journal = openState(`${head}{"put":"notes","key":"a","value":{"id":"a"}}\n`);
    expect(() => openNotes(journal)).toThrow(
      /state\.jsonl holds notes a in a form that this version of the sandbox does not read \(text\)\. Use the version/,
    );
  });
});

describe('a folder that cannot be used', () => {
  it('holds something else', () => {
    mkdirSync(join(root, 'uploads'), { recursive: true });
    writeFileSync(join(root, 'uploads', '1.part'), 'mine');
    expect(() => open()).toThrow(
      /data holds uploads and no state of a sandbox\. Name a folder that is empty/,
    );
    expect(readdirSync(root)).toEqual(['uploads']);
  });

  it('is a file', () => {
    writeFileSync(root, '');
    expect(() => open()).toThrow(/data cannot be made: EEXIST\. Let this user read and write there/);
  });

  it('is made with the folders above it', () => {
    root = join(root, 'a', 'b');
    open();
    expect(existsSync(join(root, 'state.jsonl'))).toBe(true);
    root = join(root, '..', '..');
  });

  it.runIf(existsSync('/proc'))('lies where no folder can be made', () => {
    expect(() => openDataFolder('/proc/none/of/it', () => nowMs)).toThrow(
      /^\/proc\/none cannot be made: ENOENT/,
    );
  });

  it('has a folder where its state should be', () => {
    mkdirSync(statePath, { recursive: true });
    expect(() => open()).toThrow(/state\.jsonl cannot be read: EISDIR/);
  });
});

describe('the lock of a data folder', () => {
  /** As another process left it, so many milliseconds ago. */
  function leaveLock(owner: object | string, agoMs: number): void {
    mkdirSync(root, { recursive: true });
    writeFileSync(lockPath, typeof owner === 'string' ? owner : JSON.stringify(owner));
    const seconds = (nowMs - agoMs) / 1000;
    utimesSync(lockPath, seconds, seconds);
  }
  const here = { pid: process.pid, host: hostname(), bornMs: performance.timeOrigin };
  const elsewhere = { pid: 1, host: 'another-machine', bornMs: 1 };

  it('keeps a second sandbox out, and goes with the first', () => {
    const first = open();
    const message = new RegExp(
      `lock: The process ${String(process.pid)} keeps its state in this folder\\. End it`,
    );
    expect(() => open()).toThrow(message);
    first.close();
    expect(existsSync(lockPath)).toBe(false);
    open();
  });

  it('is taken over from a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await once(child, 'exit');
    leaveLock({ ...here, pid: child.pid }, 0);
    open();
    expect(readFileSync(lockPath, 'utf8')).toContain(`"pid":${String(process.pid)}`);
    expect(existsSync(`${lockPath}.takeover`)).toBe(false);
  });

  it('is taken over from an earlier process with the same id, as in a container', () => {
    leaveLock({ ...here, bornMs: 1 }, 0);
    open();
  });

  it.runIf(existsSync('/proc/self/stat'))('is kept from a later process with the same id', () => {
    const parent = { ...here, pid: process.ppid };
    const started = readFileSync(`/proc/${String(process.ppid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ')[19];
    leaveLock({ ...parent, started }, 60_000);
    expect(() => open()).toThrow(`The process ${String(process.ppid)} keeps`);
    leaveLock({ ...parent, started: '1' }, 0);
    open();
  });

  it.each([
    ['of another machine', elsewhere, 'The process 1 keeps'],
    ['that says nothing', '{"pid":', 'Another process keeps'],
  ])('%s is taken over when it has been silent for 15 s', (_name, owner, message) => {
    leaveLock(owner, 14_000);
    expect(() => open()).toThrow(message);
    leaveLock(owner, 16_000);
    open();
  });

  it('is left alone while another process takes it over', () => {
    leaveLock({ ...here, bornMs: 1 }, 0);
    writeFileSync(`${lockPath}.takeover`, '');
    utimesSync(`${lockPath}.takeover`, nowMs / 1000, nowMs / 1000);
    expect(() => open()).toThrow(DataFolderError);
    open(nowMs + 16_000);
  });

  it('ends the writing of who lost it', () => {
    const notes = openNotes(open());
    leaveLock(elsewhere, 0);
    const fill = (): void => {
      for (let number = 0; number < 30; number += 1) notes.put({ id: 'a', text: 'x'.repeat(50_000) });
    };
    expect(fill).toThrow(/state\.jsonl was taken over by another process while this one stood still/);
    expect(fill).toThrow(DataFolderError);
    appendFileSync(lockPath, ' ');
    expect(() => notes.remove('a')).toThrow(DataFolderError);
    opened[0]?.close();
    expect(existsSync(lockPath)).toBe(true);
  });
});
