import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findList } from './answers.ts';

describe('findList', () => {
  it.each<[unknown, readonly unknown[] | undefined]>([
    [[1], [1]],
    [{ tags: [1] }, [1]],
    [{ data: [1] }, [1]],
    [{ data: { tags: [1] } }, [1]],
    [{ result: { data: { tags: [1] } } }, [1]],
    [{ tags: { items: [1] } }, [1]],
    [{ items: [2], tags: [1] }, [1]],
    [{ unheard: [{ id: 1 }], total: 1, errors: [] }, [{ id: 1 }]],
    [{ unheard: [1] }, undefined],
    [{ unheard: [] }, undefined],
    [{ errors: [{ id: 1 }] }, undefined],
    [{ one: [{}], two: [{}] }, undefined],
    [{ tags: null }, []],
    [{}, []],
    [null, []],
    [undefined, []],
    [{ message: 'maintenance' }, undefined],
    ['<html>', undefined],
    [7, undefined],
    [{ data: { data: { data: { data: [1] } } } }, undefined],
  ])('finds the list in %j', (body, list) => {
    expect(findList(body, ['tags', 'items'])).toEqual(list);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (body) => {
        const list = findList(body, ['tags', 'data']);
        return list === undefined || Array.isArray(list);
      }),
    );
  });
});
