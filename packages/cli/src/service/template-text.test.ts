import { readReport } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { createPaint } from '../terminal/paint.ts';
import { findTemplates, formatTemplate, listTemplates } from './template-text.ts';

const report = readReport('m_1', {
  followup_v2: {
    name: 'Weekly sync',
    templates: [
      { id: 't_1', name: 'Default Meeting', entities: [{ name: 'summary', text: 'First.' }] },
      { id: 't_2', name: 'sales-meeting', entities: [{ name: 'summary', text: 'Second.' }] },
      { id: 'sales-meeting', name: 'Odd', entities: [] },
      { name: 'odd', entities: [] },
    ],
  },
});

describe('findTemplates', () => {
  it.each([
    ['t_2', ['sales-meeting']],
    ['default-meeting', ['Default Meeting']],
    ['DEFAULT MEETING', ['Default Meeting']],
    // An id wins over a name.
    ['sales-meeting', ['Odd']],
    ['odd', ['Odd', 'odd']],
    ['team-sync', []],
  ])('finds %s', (wanted, names) => {
    expect(findTemplates(report, wanted).map(({ name }) => name)).toEqual(names);
  });
});

describe('formatTemplate', () => {
  it('shows what editing needs: the id, and each block with its name', () => {
    const template = {
      id: 't_7',
      name: 'Sales\u001B[31m Meeting',
      blocks: [
        { name: 'sales_general', text: 'They want *it*.\n\nSoon.\u0007' },
        { name: 'tasks', text: '' },
      ],
    };
    expect(formatTemplate(template, createPaint(false))).toBe(`Sales Meeting
template id t_7

sales_general
  They want *it*.

  Soon.

tasks
  (empty)
`);
  });
});

describe('listTemplates', () => {
  it('is one line a template', () => {
    expect(listTemplates(report)).toBe(
      '  Default Meeting (template id t_1)\n' +
        '  sales-meeting (template id t_2)\n' +
        '  Odd (template id sales-meeting)\n' +
        '  odd',
    );
  });
});
