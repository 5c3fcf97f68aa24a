import type { PostAnswer } from './create-poster.ts';

/** What an attempt came to. `again`: worth another one. */
export type Verdict = 'delivered' | 'again' | 'final';

/**
 * As observed: any 2xx accepts; connection errors, timeouts, 5xx, 408 and 429 are worth another attempt; everything
 * else is final, redirects too.
 */
function judgeAnswer(answer: PostAnswer): Verdict {
  if ('refusal' in answer) return 'final';
  if ('error' in answer) return 'again';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || status === 408 || status === 429 ? 'again' : 'final';
}

/** Of a delivery that was sent several times at once. */
export function judgeAnswers(answers: readonly PostAnswer[]): Verdict {
  const verdicts = answers.map(judgeAnswer);
  if (verdicts.includes('delivered')) return 'delivered';
  return verdicts.includes('again') ? 'again' : 'final';
}
