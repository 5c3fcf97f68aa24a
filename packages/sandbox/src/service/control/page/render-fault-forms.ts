import { html, type Markup } from '../../../web/markup.ts';
import { callTargets } from '../../call-targets.ts';
import { commonCallFaults, commonDeliveryFaults, type CommonFault } from '../common-faults.ts';
import { describeFault } from './describe-fault.ts';

const action = '/_sandbox/faults/common#faults';

/** Plans a fault of the commonest kinds: of a call, and of a delivery. */
export function renderFaultForms(): Markup {
  return html`<div class="card">
    <form method="post" action="${action}" class="fields">
      <label
        >What happens to a call
        <select name="fault">
          ${commonCallFaults.map(renderOption)}
        </select></label
      >
      <label
        >Which call
        <select name="on">
          <option value="any">any</option>
          ${callTargets.map((target) => html`<option>${target}</option>`)}
        </select></label
      >
      ${renderTimes()}
      <button>Plan for calls</button>
    </form>
    <hr />
    <form method="post" action="${action}" class="fields">
      <label
        >What happens to a delivery
        <select name="fault">
          ${commonDeliveryFaults.map(renderOption)}
        </select></label
      >
      ${renderTimes()}
      <button>Plan for deliveries</button>
    </form>
  </div>`;
}

function renderOption({ name, order }: CommonFault): Markup {
  return html`<option value="${name}">${describeFault(order)}</option>`;
}

function renderTimes(): Markup {
  return html`<label class="short"
    >Times (empty: always) <input type="number" name="times" value="1" min="1" step="1"
  /></label>`;
}
