import { describe, expect, it } from 'vitest';

import { createCircuit } from './circuit-breaker.ts';
import { createServiceCircuit, type Passage } from './service-access.ts';

function open() {
  const world = { nowMs: 0 };
  const circuit = createCircuit({ failures: 3, firstOpenMs: 10_000, maxOpenMs: 60_000 }, () => 1);
  const gate = createServiceCircuit(circuit, () => world.nowMs);
  const enter = (): Passage => {
    const passage = gate.enter(world.nowMs);
    if (passage.kind !== 'go') throw new Error('closed');
    return passage;
  };
  const read = () => {
    const passage = gate.enter(world.nowMs);
    return passage.kind === 'wait' ? passage.forMs : 'go';
  };
  return { enter, read, world };
}

describe('the gate of the service', () => {
  it('closes after some questions without an answer, and then lets one try', () => {
    const { enter, read, world } = open();
    for (let count = 0; count < 3; count += 1) enter().leave(false);
    expect(read()).toBe(10_000);
    world.nowMs = 10_000;
    const trial = enter();
    expect(read()).toBe(1000);
    trial.leave(false);
    expect(read()).toBe(20_000);
    world.nowMs = 30_000;
    enter().leave(true);
    expect([read(), read()]).toEqual(['go', 'go']);
  });
});
