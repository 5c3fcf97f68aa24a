import { expect, it } from 'vitest';

import { tidyHtml } from '../../../testing/tidy-html.ts';
import { knobsSchema } from '../../knobs/knobs.ts';
import { renderKnobs } from './render-knobs.ts';

const render = (changes: object): string => tidyHtml(renderKnobs(knobsSchema.parse(changes)).text);

it('says that none is turned, and offers no button then', () => {
  expect(render({})).toBe(
    '<h2 id="knobs">Knobs</h2>' +
      '<p class="soft">All knobs are at their defaults: the service is as observed, or as assumed.</p>' +
      '<p class="small"><a href="/_sandbox/knobs">All knobs as JSON</a>; <code>PATCH /_sandbox/knobs</code> turns them.</p>',
  );
});

it('shows those that are turned, and their defaults', () => {
  const shown = render({ tagPageSize: 5, searchParameters: {}, rateLimit: { requests: 60, perSeconds: 1 } });
  expect(shown).toContain(
    '<ul class="card plain"><li><code>tagPageSize</code> is <code>5</code>, by default <code>100</code>.' +
      '<div class="small soft">The most tags that a page of the tag list has, whatever is asked for.</div></li>',
  );
  expect(shown).toContain(
    '<code>{&quot;requests&quot;:60,&quot;perSeconds&quot;:1}</code>, by default <code>null</code>.',
  );
  expect(shown).toContain('429 with <code>Retry-After</code> beyond.');
  expect(shown.match(/<li>/g)).toHaveLength(2);
  expect(shown).toContain('action="/_sandbox/knobs/reset#knobs"');
});

it('keeps hostile values text, and long ones short', () => {
  const shown = render({ sources: Array.from({ length: 100 }, () => '<script>'.repeat(12)) });
  expect(shown).toContain('[&quot;&lt;script&gt;');
  expect(shown).not.toContain('<script');
  expect(shown.length).toBeLessThan(3000);
});
