import { ServiceError } from './service-error.ts';

/**
 * Whether an answer was made for a browser: the page of a proxy, of a login, or of a maintenance. The type alone
 * does not make one: many servers announce every text as HTML, so that `ok` comes as one.
 */
export function isWebPage(body: unknown, contentType: string | null): boolean {
  if (typeof body !== 'string') return false;
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
  return /^\s*</.test(body) || (isHtml && /<[a-z/!]/i.test(body));
}

export function reportWebPage(doing: string, status: number): ServiceError {
  return new ServiceError({ code: 'unreadable', doing, status, detail: 'the answer is a web page' });
}
