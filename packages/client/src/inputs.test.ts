import { readFileSync } from 'node:fs';

import { listOperations, type OperationId, type OperationInput, type operations } from '@aftermeet/contract';
import { describeFields } from '@aftermeet/contract/openapi';
import { describe, expect, expectTypeOf, it } from 'vitest';

import type { Client, EndedStatus } from './client.ts';
import { AmbiguousWriteError, isAmbiguousWrite, isServiceError, ServiceError } from './errors.ts';
import type * as inputs from './inputs.ts';

const operationOf = {
  StartInput: 'recordings.start',
  GenerateInput: 'reports.generate',
  EditBlockInput: 'reports.editBlock',
  ExportInput: 'exports.download',
  SearchInput: 'meetings.search',
  CreateTagInput: 'tags.create',
  TagLinkInput: 'tags.attach',
} as const satisfies Record<string, OperationId>;

const source = readFileSync(new URL('inputs.ts', import.meta.url), 'utf8');

describe.each(Object.entries(operationOf))('%s', (name, id) => {
  it('describes its fields as the contract does', () => {
    const text = new RegExp(`interface ${name} \\{\n([^}]*)\n\\}`).exec(source)?.[1] ?? '';
    const operation = listOperations().find((one) => one.id === id);
    const fields = operation === undefined ? [] : describeFields(operation);
    expect(fields.length).toBeGreaterThan(0);
    for (const { inputName: field, meaning, isRequired } of fields) {
      expect(text).toContain(`/** ${meaning}`);
      expect(text).toContain(`  readonly ${field}${isRequired ? '' : '?'}: `);
    }
    const own = name === 'StartInput' ? 1 : 0;
    expect(text.match(/ readonly \w+\??: /g)).toHaveLength(fields.length + own);
  });
});

describe('the types', () => {
  it('take what the contract takes', () => {
    type Start = Omit<inputs.StartInput, 'endpoint'>;
    expectTypeOf<OperationInput<typeof operations.recordings.start>>().toExtend<Start>();
    expectTypeOf<Start>().toExtend<OperationInput<typeof operations.recordings.start>>();
    expectTypeOf<OperationInput<typeof operations.meetings.search>>().toExtend<inputs.SearchInput>();
    expectTypeOf<inputs.SearchInput>().toExtend<OperationInput<typeof operations.meetings.search>>();
    expectTypeOf<OperationInput<typeof operations.exports.download>>().toExtend<inputs.ExportInput>();
    expectTypeOf<inputs.ExportInput>().toExtend<OperationInput<typeof operations.exports.download>>();
    expectTypeOf<'zoom'>().toExtend<inputs.StartInput['source']>();
    expectTypeOf<string>().toExtend<inputs.StartInput['source']>();
    expectTypeOf<undefined>().toExtend<inputs.StartInput['title']>();
    expectTypeOf<readonly string[]>().toExtend<inputs.SearchInput['tagIds']>();
  });

  it('say how a wait ends', () => {
    expectTypeOf<Client['recordings']['waitUntilReady']>().returns.resolves.toEqualTypeOf<EndedStatus>();
    expectTypeOf<EndedStatus['phase']>().toEqualTypeOf<'ready' | 'failed' | 'cancelled'>();
  });
});

describe('the guards', () => {
  const verifyWith = { operation: 'tags.list', input: {} } as const;
  const ambiguous = new AmbiguousWriteError({ operation: 'tags.create', reason: 'no answer', verifyWith });

  it('know errors of another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), {
      name: 'AmbiguousWriteError',
      code: 'ambiguous',
      operation: 'tags.create',
    });
    expect([ambiguous, foreign].map(isAmbiguousWrite)).toEqual([true, true]);
    expect([ambiguous, foreign].map(isServiceError)).toEqual([true, true]);
  });

  it('know other errors apart', () => {
    const fault = new ServiceError({ code: 'timeout', operation: 'tags.list' });
    expect([fault, new Error('x'), { name: 'ServiceError' }, null].map(isServiceError)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(isAmbiguousWrite(fault)).toBe(false);
  });
});
