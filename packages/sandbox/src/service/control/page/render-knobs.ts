import { isDeepStrictEqual } from 'node:util';

import { html, type Markup } from '../../../web/markup.ts';
import { describeKnob, knobNames } from '../../knobs/describe-knobs.ts';
import { knobsSchema, type Knobs } from '../../knobs/knobs.ts';
import { renderButtons } from './render-button.ts';
import { shorten } from './shorten.ts';

/** The knobs that are not as observed or assumed, and what turns them back. */
export function renderKnobs(knobs: Knobs): Markup {
  const first = knobsSchema.parse({});
  const turned = knobNames.filter((name) => !isDeepStrictEqual(knobs[name], first[name]));
  return html`<h2 id="knobs">Knobs</h2>
    ${
      turned.length === 0
        ? html`<p class="soft">
            All knobs are at their defaults: the service is as observed, or as assumed.
          </p>`
        : html`<ul class="card plain">
              ${turned.map((name) => renderKnob(name, knobs))}
            </ul>
            ${renderButtons('/_sandbox/knobs/reset#knobs', [{ label: 'Turn all back to how the sandbox was started' }])}`
    }
    <p class="small">
      <a href="/_sandbox/knobs">All knobs as JSON</a>; <code>PATCH /_sandbox/knobs</code> turns them.
    </p>`;
}

function renderKnob(name: keyof Knobs, knobs: Knobs): Markup {
  const { description, first } = describeKnob(name);
  return html`<li>
    <code>${name}</code> is <code>${shorten(JSON.stringify(knobs[name]), 300)}</code>, by default
    <code>${shorten(first, 100)}</code>.
    <div class="small soft">${renderBackticks(description)}</div>
  </li>`;
}

function renderBackticks(text: string): readonly Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
