import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Made once: making it anew takes as long as reading a short text. */
const github = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
/** What GitHub adds to CommonMark begins with one of these, and looking for it doubles the time. */
const githubMarks = /[~|@]|:\/\/|www\.|\[\^|\[[\sx]\]|:-|-:/i;

/** A document of CommonMark and what GitHub adds to it (github.github.com/gfm), or nothing where the parser gives up. */
export function readMarkdown(markdown: string): Root | undefined {
  try {
    return githubMarks.test(markdown) ? fromMarkdown(markdown, github) : fromMarkdown(markdown);
  } catch {
    // No text may hold a message up: whatever the parser stumbles over can still be read as it is written.
    return undefined;
  }
}
