import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createLanes } from './create-lanes.ts';

describe('lanes', () => {
  it('run what was entered in its order, never more of one name than the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ name: fc.constantFrom('a', 'b'), isQuick: fc.boolean() }), { maxLength: 40 }),
        (limit, jobs) => {
          const lanes = createLanes(limit);
          const started: number[] = [];
          const leaves: (() => void)[] = [];
          const running = { a: 0, b: 0 };
          for (const [index, { name, isQuick }] of jobs.entries()) {
            lanes.enter(name === 'a' ? 'a' : 'b', (leave) => {
              started.push(index);
              running[name === 'a' ? 'a' : 'b'] += 1;
              expect(running[name === 'a' ? 'a' : 'b']).toBeLessThanOrEqual(limit);
              const end = (): void => {
                running[name === 'a' ? 'a' : 'b'] -= 1;
                leave();
              };
              if (isQuick) end();
              else leaves.push(end);
            });
          }
          for (let end = leaves.shift(); end !== undefined; end = leaves.shift()) end();
          expect(started.toSorted((one, other) => one - other)).toEqual([...jobs.keys()]);
          for (const name of ['a', 'b']) {
            const own = started.filter((index) => jobs[index]?.name === name);
            expect(own).toEqual(own.toSorted((one, other) => one - other));
          }
        },
      ),
    );
  });

  it('take ten thousand that wait, and that all end at once, without a deep stack', () => {
    const lanes = createLanes(1);
    let letGo = (): void => {};
    let count = 0;
    lanes.enter('a', (leave) => {
      letGo = leave;
    });
    for (let job = 0; job < 10_000; job += 1) {
      lanes.enter('a', (leave) => {
        count += 1;
        leave();
      });
    }
    expect(count).toBe(0);
    letGo();
    expect(count).toBe(10_000);
  });

  it('forget what waits when they are cleared', () => {
    const lanes = createLanes(1);
    const started: string[] = [];
    let letGo = (): void => {};
    lanes.enter('a', (leave) => {
      letGo = leave;
    });
    lanes.enter('a', () => started.push('waited'));
    lanes.clear();
    letGo();
    lanes.enter('a', () => started.push('later'));
    expect(started).toEqual(['later']);
  });
});
