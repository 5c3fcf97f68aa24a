import { expandTarget } from '../../../recipes/dist/engine/recipe.js';
// Every message that a prebuilt recipe makes of one report, as the worker would make them.
import { listPrebuiltRecipes } from '../../../recipes/dist/index.js';
import { buildDigest } from '../../../recipes/dist/report/digest.js';

const destinations = {
  slack: { token: 'xoxb-bench', channel: 'C0123456789' },
  notion: { token: 'ntn_bench', dataSourceId: '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: ['ann@example.com'] },
};

/** From a report to messages: what `use` makes with these options. */
export function openRecipe(use, values = {}) {
  const prebuilt = listPrebuiltRecipes().find(({ id }) => id === use);
  const { plan, input } = prebuilt.bind(values, destinations);
  return (report) => {
    const digest = buildDigest(report, { withTranscript: input.needsTranscript === true });
    const { meetingId, title } = digest;
    const occurrence = '2026-07-07T12:05:00Z';
    const event = {
      kind: 'meeting.completed',
      meetingId,
      title,
      occurrence,
      endpoint: 'default',
      receivedAt: occurrence,
    };
    const effects = plan(event).flatMap((effect) => [effect, ...(input.expand?.(digest, effect) ?? [])]);
    return effects
      .filter(({ target }) => target !== expandTarget)
      .map((effect) => input.render(digest, effect))
      .filter((rendered) => !('skip' in rendered));
  };
}

export { buildDigest };
