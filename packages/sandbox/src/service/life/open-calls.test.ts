import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { beforeEach, expect, it } from 'vitest';

import { createOpenCalls, type OpenCalls } from './open-calls.ts';

let calls: OpenCalls;
let seen: string[];

beforeEach(() => {
  calls = createOpenCalls();
  seen = [];
});

const answer = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

it('waits for the call that is played, also behind what that waits for, and for no other', async () => {
  const own = answer();
  const other = answer();
  const playing = calls.follow(own, async () => {
    await Promise.resolve();
    return calls.note();
  });
  calls.follow(other, () => calls.note());
  const whenAnswered = await playing;
  whenAnswered(() => seen.push('answered'));
  other.emit('close');
  expect(seen).toEqual([]);
  own.emit('close');
  expect(seen).toEqual(['answered']);
});

it('waits for nothing where no call is played, or where it is over', () => {
  const call = answer();
  const whenAnswered = calls.follow(call, () => {
    calls.note()(() => seen.push('waits'));
    return calls.note();
  });
  calls.note()(() => seen.push('by nobody'));
  expect(seen).toEqual(['by nobody']);
  call.emit('close');
  whenAnswered(() => seen.push('late'));
  expect(seen).toEqual(['by nobody', 'waits', 'late']);
});

it('does not wait for a call whose client has gone before it is played', () => {
  const call = answer();
  const socket = new Socket();
  call.assignSocket(socket);
  socket.emit('close');
  calls.follow(call, () => calls.note())(() => seen.push('at once'));
  expect(seen).toEqual(['at once']);
});

it('runs each thing once, and what it causes belongs to no call', () => {
  const first = answer();
  const second = answer();
  calls.follow(first, () => {
    calls.note()(() => {
      seen.push('one');
      calls.note()(() => seen.push('two'));
    });
  });
  const inner = calls.follow(first, () => calls.note());
  // As a timer does that the second call has set.
  calls.follow(second, () => inner(() => seen.push('three')));
  expect(seen).toEqual([]);
  first.emit('close');
  first.emit('close');
  expect(seen).toEqual(['one', 'two', 'three']);
});
