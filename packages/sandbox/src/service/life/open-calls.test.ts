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

const begin = (): ServerResponse => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  calls.follow(response);
  return response;
};

it('waits for every call that was open, and for no later one', () => {
  const first = begin();
  const second = begin();
  const whenAnswered = calls.note();
  begin();
  whenAnswered(() => seen.push('both answered'));
  second.emit('close');
  expect(seen).toEqual([]);
  first.emit('close');
  expect(seen).toEqual(['both answered']);
});

it('waits for nothing where no call is open any more', () => {
  const call = begin();
  const whenAnswered = calls.note();
  call.emit('close');
  begin();
  whenAnswered(() => seen.push('answered'));
  expect(seen).toEqual(['answered']);
});

it('runs each thing once, also one that notes others', () => {
  const call = begin();
  calls.note()(() => {
    seen.push('one');
    calls.note()(() => seen.push('two'));
  });
  calls.note()(() => seen.push('three'));
  call.emit('close');
  begin().emit('close');
  expect(seen.toSorted()).toEqual(['one', 'three', 'two']);
});
