import { limitText } from './limit-text.mjs';
import { refuseUnreadLimits } from './refuse-unread-limits.mjs';
import { walkProperties } from './walk-properties.mjs';

/** How the comments of the types word a limit, and the keyword for it. A number with `text` is about a text object's text. */
const wordings = [
  [
    /maximum length (?:for (?:this field|the `?text`? (?:(?:with)?in this field|field in this object)) )?is (\d+) characters/i,
    'maxLength',
  ],
  [/minimum length (?:for the `text` in this field )?is (\d+)/i, 'minLength'],
  [/must be less than (\d+) characters/i, 'maxLength', (number) => number - 1],
  [/maximum number of (?:items|options|option groups) is (\d+)/i, 'maxItems'],
  [/maximum of (\d+) (?:elements|options)/i, 'maxItems'],
  [/maximum (\d+) (?:items|rows|blocks|cards)/i, 'maxItems'],
  [/up to (\d+) \{@link/i, 'maxItems'],
  [/minimum (\d+), maximum \d+ cards/i, 'minItems'],
  [/maximum value is (\d+)/i, 'maximum'],
  [/minimum number is (\d+)/i, 'minimum'],
  [/must be between (\d+) and \d+/i, 'minimum'],
  [/must be between \d+ and (\d+)/i, 'maximum'],
  [/min(?:imum of)? `(\d+)`, max(?:imum of)? `\d+`/i, 'minimum'],
  [/min(?:imum of)? `\d+`, max(?:imum of)? `(\d+)`/i, 'maximum'],
  [/from `(\d+)` \(default\) to `\d+`/i, 'minimum'],
  [/from `\d+` \(default\) to `(\d+)`/i, 'maximum'],
];
const itemTextWording = /maximum length for the text in each item is (\d+) characters/i;
const rowWording = /an array with a max of (\d+) table cells/i;

const keywordsOf = {
  string: ['maxLength', 'minLength'],
  array: ['maxItems', 'minItems'],
  number: ['maximum', 'minimum'],
};

/** Turns the limits that the comments state into keywords. */
export function addCommentLimits(definitions) {
  const texts = [];
  walkProperties(definitions, (property, set) => {
    const comment = (property.description ?? '').replaceAll('\n', ' ');
    refuseUnreadLimits(comment, [...wordings.map(([wording]) => wording), itemTextWording, rowWording]);
    const found = {};
    for (const [wording, keyword, convert = (number) => number] of wordings) {
      const number = wording.exec(comment)?.[1];
      if (number !== undefined) found[keyword] = convert(Number(number));
    }
    for (const keyword of keywordsOf[property.type] ?? [])
      if (keyword in found) property[keyword] = found[keyword];
    if (('$ref' in property || 'anyOf' in property) && 'maxLength' in found)
      texts.push(() => set(limitText(property, found.maxLength, definitions)));
    const itemLength = itemTextWording.exec(comment)?.[1];
    if (itemLength !== undefined)
      texts.push(() => (property.items = limitText(property.items, Number(itemLength), definitions)));
    const cells = rowWording.exec(comment)?.[1];
    if (cells !== undefined) property.items.maxItems = Number(cells);
  });
  // A text object is copied with its own limits, which are known only now.
  for (const limit of texts) limit();
}
