import { z } from 'zod';

import type { SlackMethod } from './state.ts';

/** In a form the view is JSON text. */
const openSchema = z.object({
  trigger_id: z.string(),
  view: z.preprocess(parseText, z.record(z.string(), z.unknown())),
});

/** https://docs.slack.dev/reference/methods/views.open. The form is kept, not shown. */
export const openView: SlackMethod = {
  handle({ state }, args) {
    const opened = openSchema.safeParse(args);
    if (!opened.success) return { error: 'invalid_arguments' };
    state.shown.add({ kind: 'view', triggerId: opened.data.trigger_id, view: opened.data.view });
    return { view: { id: `V${state.makeTs().replace('.', '')}`, ...opened.data.view } };
  },
};

function parseText(view: unknown): unknown {
  if (typeof view !== 'string') return view;
  try {
    return JSON.parse(view);
  } catch {
    return undefined;
  }
}
