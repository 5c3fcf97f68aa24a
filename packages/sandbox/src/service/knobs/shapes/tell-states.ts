import type { OperationId } from '@aftermeet/contract';

import type { ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';
import { mapObjects } from './json-value.ts';

type StateWords = Knobs['stateWords'];

/** The word under which a state is told. */
export function tellState(state: string, words: StateWords): string {
  return findWord(state, words) ?? state;
}

/** `status: processing` and `is recording.` in the middle of a sentence. */
const inSentence = /\b(status: |meeting is )(\w+)/g;

/** The states of a sentence, each under its word. */
export function tellStatesIn(sentence: string, words: StateWords): string {
  return sentence.replaceAll(
    inSentence,
    (_match, lead: string, state: string) => lead + tellState(state, words),
  );
}

/** The answer with every state under its word: a status that is told as a field, as the whole text, or in a sentence. */
export function tellStates(
  operation: OperationId | undefined,
  answer: ServiceAnswer,
  words: StateWords,
): ServiceAnswer {
  if (Object.keys(words).length === 0 || 'file' in answer || 'empty' in answer) return answer;
  if ('text' in answer) {
    const { text } = answer;
    return {
      ...answer,
      text: operation === 'recordings.status' ? tellState(text, words) : tellStatesIn(text, words),
    };
  }
  const json = mapObjects(answer.json, (object) => {
    const { status, message } = object;
    return {
      ...object,
      ...(typeof status === 'string' && { status: tellState(status, words) }),
      ...(typeof message === 'string' && { message: tellStatesIn(message, words) }),
    };
  });
  return { ...answer, json };
}

function findWord(state: string, words: StateWords): string | undefined {
  const known: Readonly<Record<string, string>> = words;
  return Object.hasOwn(known, state) ? known[state] : undefined;
}
