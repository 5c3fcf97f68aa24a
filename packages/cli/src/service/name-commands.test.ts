import { expect, it } from 'vitest';

import { nameCommands } from './name-commands.ts';

it.each([
  [
    'no answer in 30000 ms; it may have taken effect: look with meetings.search before',
    'no answer in 30000 ms',
  ],
  [
    'No such meeting.; an earlier try may have done it: look with recordings.status',
    'No such meeting.; an earlier try may have done it: look with aftermeet status',
  ],
  ['409 (force sends everything anew)', '409 (--force sends everything anew)'],
  ['look with nothing.known', 'look with nothing.known'],
])('turns %j into %j', (words, named) => {
  expect(nameCommands(words)).toBe(named);
});
