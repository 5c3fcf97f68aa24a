import { describe, expect, it } from 'vitest';

import { pipe } from '../testing/run-aftermeet.ts';
import { readToolInput } from './mcp.ts';

const context = { environment: {}, isTerminal: false, write: () => {}, writeError: () => {} };

describe('readToolInput', () => {
  it.each([
    [[], undefined, {}],
    [
      ['query=weekly sync', 'limit:=5', 'ids:=["a"]'],
      undefined,
      { query: 'weekly sync', limit: 5, ids: ['a'] },
    ],
    [['equation=a=b', 'empty='], undefined, { equation: 'a=b', empty: '' }],
    [['time=10:00'], '{"time":1,"more":null}', { time: '10:00', more: null }],
  ])('of %j and %j', async (words, json, input) => {
    expect(await readToolInput(words, json, context)).toEqual(input);
  });

  it('reads an object that is piped in', async () => {
    expect(await readToolInput([], '-', { ...context, openInput: pipe('{"a":', '1}') })).toEqual({ a: 1 });
  });

  it('repeats no value in a message', async () => {
    await expect(readToolInput(['key:=hunter2'], undefined, context)).rejects.toThrow(
      /^"key": this is not JSON/,
    );
    await expect(readToolInput([], '"hunter2', context)).rejects.toThrow(/^--input: this is not JSON/);
  });
});
