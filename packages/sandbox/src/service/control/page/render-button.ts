import { html, type Markup } from '../../../web/markup.ts';

export interface Button {
  readonly label: string;
  /** What it is about, where several have the same label: read out with it. */
  readonly about?: string;
  /** The field that it sends, and its value. */
  readonly field?: readonly [name: string, value: string];
  /** Where its form is sent to, if not where the others send it. */
  readonly action?: string;
}

/** A form of buttons alone. Whoever answers with a redirect leads back to the fragment of `action`: RFC 9110, 10.2.2. */
export function renderButtons(action: string, buttons: readonly Button[]): Markup {
  return html`<form method="post" action="${action}" class="buttons">${buttons.map(renderButton)}</form>`;
}

function renderButton({ label, about, field, action }: Button): Markup {
  const attributes = [
    action !== undefined && html` formaction="${action}"`,
    field !== undefined && html` name="${field[0]}" value="${field[1]}"`,
    about !== undefined && html` aria-label="${label}: ${about}"`,
  ];
  return html`<button${attributes}>${label}</button>`;
}
