/**
 * The blocks a message may hold, and the definition in the SDK's types that each has to fit:
 * https://docs.slack.dev/reference/block-kit/blocks (`alert` is for modals alone). `data_visualization` is documented
 * and has no type yet: it passes unread.
 */
const definitions: Readonly<Record<string, string | undefined>> = {
  actions: 'ActionsBlock',
  card: 'CardBlock',
  carousel: 'CarouselBlock',
  container: 'ContainerBlock',
  context: 'ContextBlock',
  context_actions: 'ContextActionsBlock',
  data_table: 'DataTableBlock',
  data_visualization: undefined,
  divider: 'DividerBlock',
  file: 'FileBlock',
  header: 'HeaderBlock',
  image: 'ImageBlock',
  input: 'InputBlock',
  markdown: 'MarkdownBlock',
  plan: 'PlanBlock',
  rich_text: 'RichTextBlock',
  section: 'SectionBlock',
  table: 'TableBlock',
  task_card: 'TaskCardBlock',
  video: 'VideoBlock',
};

export const messageBlocks = Object.keys(definitions);

export function isMessageBlock(type: string): boolean {
  return Object.hasOwn(definitions, type);
}

export function findBlockDefinition(type: string): string | undefined {
  return definitions[type];
}
