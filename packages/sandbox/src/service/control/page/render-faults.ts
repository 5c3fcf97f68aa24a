import type { PlannedFault } from '../../../faults/fault-plan.ts';
import type { CallFault, DeliveryFault } from '../../../faults/fault.ts';
import { html, type Markup } from '../../../web/markup.ts';
import type { SandboxWorld } from '../../sandbox-world.ts';
import { describeCount } from './describe-count.ts';
import { describeAim, describeFault } from './describe-fault.ts';
import { renderRest, takeNewest } from './newest.ts';
import { renderButtons } from './render-button.ts';
import { renderFaultForms } from './render-fault-forms.ts';
import { shorten } from './shorten.ts';

type Planned = PlannedFault<CallFault | DeliveryFault>;

/** The faults that are planned, newest first, and the forms that plan the commonest. */
export function renderFaults(world: Pick<SandboxWorld, 'callFaults' | 'deliveryFaults'>): Markup {
  const planned: readonly Planned[] = [...world.callFaults.list(), ...world.deliveryFaults.list()];
  const inOrder = planned.toSorted((one, other) => readNumber(one) - readNumber(other));
  return html`<h2 id="faults">Faults</h2>
    ${renderFaultForms()} ${takeNewest(inOrder).map(renderFault)}
    ${renderRest(planned.length, '/_sandbox/faults')}
    ${planned.length > 1 && renderButtons('/_sandbox/faults/clear#faults', [{ label: 'Take back all faults' }])}`;
}

/** Of calls and of deliveries they are numbered together. */
function readNumber({ id }: Planned): number {
  return Number(id.replace('fault-', ''));
}

function renderFault({ id, fault, happened }: Planned): Markup {
  const isOver = fault.times !== null && happened >= fault.times;
  const words = describeFault(fault);
  return html`<article class="card" id="${id}">
    <div class="row head">
      <h3>${words}</h3>
      <span class="pill end ${!isOver && 'wait'}">${isOver ? 'over' : 'planned'}</span>
    </div>
    <p class="small soft">
      ${shorten(describeAim(fault), 300)} · happened ${describeCount(happened)} · <code>${id}</code>
    </p>
    ${renderButtons(`/_sandbox/faults/${encodeURIComponent(id)}/remove#faults`, [{ label: 'Take back', about: `${words}, ${id}` }])}
  </article>`;
}
