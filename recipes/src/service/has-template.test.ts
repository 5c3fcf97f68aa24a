import { expect, it } from 'vitest';

import { hasTemplate } from './has-template.ts';

const builtIn = { template: 'sales-meeting', names: [] };
const custom = { template: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', names: ['Customer call'] };

it.each([
  [['sales-meeting'], builtIn, true],
  [['Default Meeting', ' SALES  Meeting '], builtIn, true],
  [['default-meeting'], builtIn, false],
  [[], builtIn, false],
  [['Встреча по продажам'], builtIn, false],
  [['Встреча по продажам'], { ...builtIn, names: ['встреча по продажам'] }, true],
  [['customer call'], custom, true],
  [['b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d'], { ...custom, names: [] }, true],
  [['default-meeting'], custom, false],
  [[''], { ...custom, names: [''] }, false],
] as const)('%j has %o: %s', (shown, wanted, has) => {
  expect(hasTemplate(shown, wanted)).toBe(has);
});
