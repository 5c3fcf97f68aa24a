/** As in package.json, which is not there in a bundle; a test compares the two. */
export const VERSION = '0.1.0';

/** Browsers send their own name and refuse another one. */
export const userAgent: Readonly<Record<string, string>> =
  'document' in globalThis ? {} : { 'user-agent': `aftermeet/${VERSION}` };
