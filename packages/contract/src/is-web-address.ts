const halfPair = /\p{Surrogate}/u;

/** Whether the text is an address of the web as it is to be sent: URL alone is too kind, it trims and reads `https:example.com`. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(value) && !halfPair.test(value) && isAddress(value);
}

/** Not `URL.canParse`: once it is hot, that of Node 20 takes no host with a letter such as ä for one. */
function isAddress(value: string): boolean {
  try {
    return new URL(value).host !== '';
  } catch {
    return false;
  }
}
