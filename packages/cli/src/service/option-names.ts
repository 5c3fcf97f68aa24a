/** What a person types for each field of the contract and of the client's options. */
const optionNames: Readonly<Record<string, string>> = {
  apiKey: 'SERVICE_API_KEY',
  authors: '--author',
  baseUrl: 'SERVICE_BASE_URL',
  color: '--color',
  cron: '--cron',
  dateFrom: '--from',
  dateTo: '--to',
  entityName: '--block',
  filename: '--filename',
  link: '<link>',
  localTime: '--at',
  local_date_time: '--at',
  mcpUrl: 'SERVICE_MCP_URL',
  meeting_id: '<meeting-id>',
  name: '<name>',
  newSummaryText: '--text',
  page: '--page',
  participants: '--participants',
  perPage: '--per-page',
  q: '[text]',
  scope: '--scope',
  source: '--source',
  sources: '--source',
  speakers_number: '--speakers',
  tagIds: '--tag',
  tag_id: '<tag>',
  templateId: '--template-id',
  template_name: '--template',
  timezone: '--timezone',
  title: '--title',
  webhook_secret: '--webhook-secret-from',
  webhook_url: '--webhook-url',
};

/** Names options instead of fields in `field message; field message`, as the client describes broken rules. */
export function nameOptions(problems: string): string {
  return problems.replaceAll(/(^|; )([A-Za-z_]+)(\[\d+\])?(?= )/g, (whole, start: string, field: string) =>
    Object.hasOwn(optionNames, field) ? `${start}${optionNames[field] ?? field}` : whole,
  );
}
