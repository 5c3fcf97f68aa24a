import type { SettlingCall } from '@aftermeet/client';

import { operationCommands } from '../operation-commands.ts';
import { quoteWord } from '../quote-word.ts';

/** The command line that shows whether a write took effect whose answer got lost. */
export function writeSettlingCommand(call: SettlingCall): string {
  const words = ['aftermeet', operationCommands[call.operation], ...listWords(call)];
  return words.join(' ');
}

function listWords(call: SettlingCall): readonly string[] {
  switch (call.operation) {
    case 'meetings.search': {
      const { q, dateFrom } = call.input;
      return [
        ...(q === undefined ? [] : [quoteWord(q)]),
        ...(dateFrom === undefined ? [] : ['--from', quoteWord(dateFrom)]),
      ];
    }
    case 'reports.get':
      return [quoteWord(call.input.meeting_id)];
    case 'tags.list':
      return [];
    default:
      return call satisfies never;
  }
}
