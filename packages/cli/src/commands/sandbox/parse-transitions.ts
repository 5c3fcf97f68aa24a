import type { Transitions } from '@aftermeet/sandbox';
import { InvalidArgumentError } from 'commander';

/** How meetings move on by themselves. */
export function parseTransitions(text: string): Transitions {
  if (text === 'manual' || text === 'clock' || text === 'immediate') return text;
  const polls = /^polls:([1-9]\d{0,3})$/.exec(text)?.[1];
  if (polls === undefined)
    throw new InvalidArgumentError('Expected clock, immediate, manual or polls:<number>.');
  return { polls: Number(polls) };
}
