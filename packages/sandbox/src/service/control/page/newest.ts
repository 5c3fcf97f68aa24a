import { html, type Markup } from '../../../web/markup.ts';

/** More of one kind nobody reads on one page. */
const mostShown = 50;

/** The newest of a list whose newest is its last, and that one first. */
export function takeNewest<T>(items: readonly T[]): readonly T[] {
  return items.slice(-mostShown).toReversed();
}

/** A line that says that there are more than are shown, and where. */
export function renderRest(count: number, path: string): Markup | false {
  return (
    count > mostShown &&
    html`<p class="small soft">
      ${count - mostShown} more are not shown: <a href="${path}">all of them as JSON</a>.
    </p>`
  );
}
