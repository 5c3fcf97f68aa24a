import type { ServiceAnswer } from '../../service-answer.ts';
import type { Knobs } from '../knobs.ts';

/** The answer with the headers of RFC 9745 (`Deprecation`, a moment of RFC 9651) and RFC 8594 (`Sunset`, an HTTP date). */
export function announceDeprecation(
  answer: ServiceAnswer,
  { since, sunset }: NonNullable<Knobs['deprecation']>,
): ServiceAnswer {
  const headers = {
    ...answer.headers,
    Deprecation: `@${String(Math.floor(Date.parse(since) / 1000))}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
  };
  return { ...answer, headers };
}
