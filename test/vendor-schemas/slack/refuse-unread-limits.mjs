/** Limits that are kept elsewhere, or cut what people see instead of refusing it. */
const elsewhere = [
  /Limit 12,000 characters max/,
  /Limit this field to 12,000 characters/,
  /may truncate with ~30 characters/,
  /Limited to 300 characters, and may be truncated/,
  /maximum width of 360px/,
  // Of a page: Slack gives less where more is asked for.
  /max value of `999`/,
  /Up to 1000 users may be listed/,
  // Nothing is fetched here.
  /file size of the image must also be less than/,
  /collapse if it contains 700\+ characters/,
];

/** Fails when a comment speaks of a limit in words that `wordings` do not know: a new version of the types may do so. */
export function refuseUnreadLimits(comment, wordings) {
  for (const sentence of comment.split(/(?<=[.!])\s+/)) {
    const speaks =
      /\b(?:max\w*|min(?:imum)?|limit\w*|less than|up to|between)\b/i.test(sentence) && /\d/.test(sentence);
    const isAddress = /https?:\/\//.test(sentence);
    if (!speaks || isAddress || [...wordings, ...elsewhere].some((wording) => wording.test(sentence)))
      continue;
    throw new Error(`A comment of the types states a limit that is not parsed: ${sentence}`);
  }
}
