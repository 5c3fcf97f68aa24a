const pages = 'https://docs.slack.dev/reference/block-kit/blocks';

/** Limits that the documentation or Slack's answers tell, and the types' comments do not. */
const limits = [
  // Slack answers `must be more than 0 characters`.
  ['RichTextText', 'text', { minLength: 1 }, `${pages}/rich-text-block`],
  ['RichTextBlock', 'elements', { minItems: 1 }, `${pages}/rich-text-block`],
  ['ContextBlock', 'elements', { minItems: 1 }, `${pages}/context-block`],
  ['ActionsBlock', 'elements', { minItems: 1 }, `${pages}/actions-block`],
  ['SectionBlock', 'fields', { minItems: 1 }, `${pages}/section-block`],
  ['ImageBlock', 'image_url', { maxLength: 3000 }, `${pages}/image-block`],
  ['DataTableBlock', 'rows', { minItems: 1, maxItems: 100 }, `${pages}/data-table-block`],
  ['TableBlock', 'rows', { minItems: 1 }, `${pages}/table-block`],
];

export function addPageLimits(definitions) {
  for (const [name, property, keywords] of limits) {
    for (const variant of definitions[name].anyOf ?? [definitions[name]]) {
      const target = variant.properties[property];
      if (target !== undefined) Object.assign(target, keywords);
    }
  }
  definitions.DataTableBlock.properties.rows.items.maxItems = 20;
}
