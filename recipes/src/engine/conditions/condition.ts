import type { EffectJob } from '@aftermeet/queue';

import type { Digest } from '../../report/digest.ts';

/** Undefined: it is not known, or not yet. */
export type Truth = boolean | undefined;

/** What is known of a meeting when a condition is judged. */
export interface Facts {
  readonly event: EffectJob['event'];
  /** Absent: the report is not there yet, or is not read. */
  readonly digest?: Digest | undefined;
  /** Whether an address is outside the installation's own domains. */
  readonly isExternalAddress: (address: string) => boolean;
  /** Whether another recipe about the same takes the meeting at the same destination, and which one. */
  readonly findTakers: () => Judgement;
}

export interface Judgement {
  readonly holds: Truth;
  /** The value that was judged, for people who may read the report. */
  readonly saw: string;
}

/** What must hold of a meeting for a recipe to run. */
export interface Condition {
  /** For people: what is true of a meeting when it holds, and when it does not. No content of a report. */
  readonly yes: string;
  readonly no: string;
  judge(facts: Facts): Judgement;
}

/** Holds when one of the conditions does not. What is not known does not hold either way. */
export function negate(all: readonly Condition[]): Condition & { readonly wanted: readonly Condition[] } {
  return {
    wanted: all,
    yes: join(
      all.map(({ no }) => no),
      'or',
    ),
    no: join(
      all.map(({ yes }) => yes),
      'and',
    ),
    judge: (facts) => {
      const { holds, saw } = judgeAll(all, facts);
      return { holds: opposite(holds), saw };
    },
  };
}

/** Holds when all conditions of one of the groups hold. */
export function alternate(groups: readonly (readonly Condition[])[]): Condition {
  return {
    yes: join(
      groups.map((all) =>
        bracket(
          all.map(({ yes }) => yes),
          'and',
        ),
      ),
      'or',
    ),
    no: join(
      groups.map((all) =>
        bracket(
          all.map(({ no }) => no),
          'or',
        ),
      ),
      'and',
    ),
    judge: (facts) => {
      const judged = groups.map((all) => judgeAll(all, facts));
      return { holds: either(judged.map(({ holds }) => holds)), saw: joinSeen(judged) };
    },
  };
}

function judgeAll(all: readonly Condition[], facts: Facts): Judgement {
  const judged = all.map((one) => one.judge(facts));
  return { holds: both(judged.map(({ holds }) => holds)), saw: joinSeen(judged) };
}

/** Whether all are true; what is not known counts only where nothing is false. */
export function both(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

/** Whether one is true; what is not known counts only where nothing is true. */
export function either(truths: readonly Truth[]): Truth {
  return opposite(both(truths.map(opposite)));
}

export function opposite(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

function joinSeen(judged: readonly Judgement[]): string {
  return [...new Set(judged.map(({ saw }) => saw))].join('; ');
}

function join(words: readonly string[], word: 'and' | 'or'): string {
  return words.join(`, ${word} `);
}

function bracket(words: readonly string[], word: 'and' | 'or'): string {
  return words.length < 2 ? join(words, word) : `(${join(words, word)})`;
}
