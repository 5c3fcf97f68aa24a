import { afterEach, beforeEach, expect, it } from 'vitest';

import { createSandboxClock, type SandboxClock } from '../clock/sandbox-clock.ts';
import type { Meeting } from '../meeting.ts';
import { DataFolderError } from '../state/data-folder-error.ts';
import { createMeetingLife, type MeetingLife } from './meeting-life.ts';
import type { Transitions } from './transitions.ts';

const startMs = Date.parse('2026-07-07T12:00:00Z');

const processing: Meeting = {
  id: 'm1',
  title: 'Plans',
  source: 'zoom',
  authorId: 'u1',
  localDateTime: '2026-07-07T12:00:00Z',
  isScheduled: false,
  templates: [],
  tagIds: [],
  status: 'processing',
  statusSinceMs: startMs,
  isTranscriptEmpty: false,
  scriptId: 'launch-review',
};

let clock: SandboxClock;
let meetings: Map<string, Meeting>;
let moves: string[];
let move: (meeting: Meeting) => void;

beforeEach(() => {
  clock = createSandboxClock(() => startMs);
  clock.change({ isFrozen: true });
  meetings = new Map([[processing.id, processing]]);
  moves = [];
  move = ({ status }) => moves.push(`${status} ${String(clock.now() - startMs)}`);
});

afterEach(() => clock.stop());

const start = (transitions: Transitions = 'clock'): MeetingLife =>
  createMeetingLife({
    transitions,
    clock,
    find: (id) => meetings.get(id),
    move: (meeting) => move(meeting),
  });

it('plans one thing for a meeting, however often it is asked to', () => {
  const life = start();
  life.plan({ ...processing, status: 'recording' });
  life.plan(processing);
  life.plan(processing);
  expect(life.nextChangeMs('m1')).toBe(startMs + 20_000);
  clock.advance(3_600_000);
  expect(moves).toEqual(['processing 20000']);
  expect(life.nextChangeMs('m1')).toBeUndefined();
});

it.each([
  ['was forgotten', (life: MeetingLife) => life.forget('m1')],
  ['was removed without a word', () => meetings.clear()],
  ['has ended', (life: MeetingLife) => life.plan({ ...processing, status: 'failed' })],
  ['went with all others', (life: MeetingLife) => life.reset()],
])('does nothing to a meeting that %s', (_how, end) => {
  const life = start();
  life.plan(processing);
  end(life);
  clock.advance(3_600_000);
  expect(moves).toEqual([]);
});

it('tries again a minute later when the disk was full', () => {
  let fails = 2;
  move = ({ status }) => {
    moves.push(`${status} ${String(clock.now() - startMs)}`);
    fails -= 1;
    if (fails >= 0) throw new DataFolderError('The disk is full.');
  };
  start().plan(processing);
  clock.advance(3_600_000);
  expect(moves).toEqual(['processing 20000', 'processing 80000', 'processing 140000']);
});

it('hides no other fault', () => {
  move = () => {
    throw new TypeError('broken');
  };
  start().plan(processing);
  expect(() => clock.advance(20_000)).toThrow('broken');
});

it('plays what is overdue at its own time', () => {
  clock.advance(60_000);
  start().plan(processing);
  clock.advance(0);
  expect(moves).toEqual(['processing 20000']);
});

it('counts the questions for each meeting alone', () => {
  const life = start({ polls: 2 });
  meetings.set('m2', { ...processing, id: 'm2' });
  for (const id of ['m1', 'm2', 'unknown', 'm1']) life.poll(id);
  expect(moves).toEqual(['processing 0']);
});
