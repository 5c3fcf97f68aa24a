import { describe, expect, it } from 'vitest';

import { createFaultNumbers } from '../../../faults/fault-numbers.ts';
import { createCallFaultPlan, createDeliveryFaultPlan } from '../../../faults/fault-plan.ts';
import { callFaultKinds, deliveryFaultKinds } from '../../../faults/fault.ts';
import { tidyHtml } from '../../../testing/tidy-html.ts';
import { commonCallFaults, commonDeliveryFaults } from '../common-faults.ts';
import { describeAim, describeFault } from './describe-fault.ts';
import { renderFaults } from './render-faults.ts';

function makePlans() {
  const numbers = createFaultNumbers();
  return {
    callFaults: createCallFaultPlan({ numbers }),
    deliveryFaults: createDeliveryFaultPlan({ numbers }),
  };
}

const render = (world: ReturnType<typeof makePlans>): string => tidyHtml(renderFaults(world).text);

it('lists them with the newest first, whatever they hit', () => {
  const world = makePlans();
  world.callFaults.add({ kind: 'status', status: 429, retry_after_seconds: 5, on: 'tags.list', times: 2 });
  for (let number = 2; number <= 10; number += 1) world.deliveryFaults.add({ kind: 'drop' });
  world.callFaults.take('tags.list');
  world.deliveryFaults.take('deliveries');
  const shown = render(world);
  const ids = [...shown.matchAll(/<article class="card" id="fault-(\d+)">/g)].map(([, number]) =>
    Number(number),
  );
  expect(ids).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(shown).toContain(
    '<article class="card" id="fault-1"><div class="row head"><h3>Answered 429, Retry-After: 5</h3>' +
      '<span class="pill end wait">planned</span></div>' +
      '<p class="small soft">on tags.list, 2 times · happened once · <code>fault-1</code></p>' +
      '<form method="post" action="/_sandbox/faults/fault-1/remove#faults" class="buttons">' +
      '<button aria-label="Take back: Answered 429, Retry-After: 5, fault-1">Take back</button></form></article>',
  );
  expect(shown).toContain('<h3>Never sent</h3><span class="pill end ">over</span></div>');
});

it('takes all back where there is more than one', () => {
  const world = makePlans();
  const all =
    '<form method="post" action="/_sandbox/faults/clear#faults" class="buttons"><button>Take back all faults</button></form>';
  world.callFaults.add({ kind: 'reset' });
  expect(render(world)).not.toContain(all);
  world.deliveryFaults.add({ kind: 'drop' });
  expect(render(world)).toContain(all);
});

it('offers a fault of every kind, with words of its own', () => {
  const kinds = [...commonCallFaults, ...commonDeliveryFaults].map(({ order }) => order.kind);
  expect([...new Set(kinds)].toSorted()).toEqual([...callFaultKinds, ...deliveryFaultKinds].toSorted());
  const shown = render(makePlans());
  for (const { name, order } of [...commonCallFaults, ...commonDeliveryFaults]) {
    expect(shown).toContain(`<option value="${name}">${describeFault(order)}</option>`);
  }
  expect(new Set(shown.match(/<option value="\w+">[^<]+/g)).size).toBe(kinds.length + 1);
  expect(shown).toContain('<option value="any">any</option> <option>recordings.start</option>');
  expect(shown).toContain('<option>mcp</option>');
});

describe('where and how often', () => {
  it.each([
    [{ kind: 'reset' as const }, 'on any call, once'],
    [{ kind: 'reset' as const, on: 'mcp', times: null }, 'on mcp, until it is taken back'],
    [{ kind: 'hang' as const, times: 3, after: 2 }, 'on any call, 3 times, after 2 unharmed'],
    [{ kind: 'cut' as const, probability: 0.3 }, 'on any call, once, with a chance of 30 %'],
  ])('%j happens %s', (order, words) => {
    expect(describeAim(makePlans().callFaults.add(order).fault)).toBe(words);
  });

  it('is a delivery where it is one', () => {
    expect(describeAim(makePlans().deliveryFaults.add({ kind: 'drop' }).fault)).toBe('on any delivery, once');
  });
});

it('keeps a hostile target text', () => {
  const world = makePlans();
  world.callFaults.add({ kind: 'reset', on: '"><script>alert(1)</script>' });
  expect(render(world)).toContain('on &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;, once');
  expect(render(world)).not.toContain('<script');
});
