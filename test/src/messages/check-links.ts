const protocols = new Set(['http:', 'https:', 'mailto:']);

/** What is wrong with an address that a reader can follow; nothing when it leads to http, https or mailto. */
export function checkLink(url: string): readonly string[] {
  // What a reader's program drops before it looks at the protocol: https://url.spec.whatwg.org/#concept-basic-url-parser
  const bare = url.replaceAll(/[\t\r\n]/g, '').trim();
  if (!URL.canParse(bare)) return [`a link that is no address: ${JSON.stringify(url.slice(0, 40))}`];
  const { protocol } = new URL(bare);
  return protocols.has(protocol) ? [] : [`a link to ${protocol}`];
}

/** Characters that no text of ours may hold: controls but for tab and line break, and halves of a character. */
export function checkCharacters(text: string, place: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- They are what is looked for.
  const found = /[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/u.exec(text)?.[0];
  return found === undefined
    ? []
    : [`${place}: the character U+${found.charCodeAt(0).toString(16).padStart(4, '0')}`];
}
