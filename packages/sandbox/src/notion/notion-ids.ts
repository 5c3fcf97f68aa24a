/** The data source of meetings. */
export const defaultDataSourceId = '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c';
/** The data source of tasks. */
export const defaultTasksDataSourceId = '6b3c8d2f-5e40-4b71-9c2d-a01e304b5c6d';
/** The page under which both stand; databases and pages can be made in it. */
export const workspacePageId = '3c5d1e7f-9a0b-4c2d-8e4f-6a1b7c2d8e3f';

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** An id as answers carry it: Notion takes them with and without dashes. Undefined when it is none. */
export function readNotionId(text: string): string | undefined {
  if (!uuidPattern.test(text)) return undefined;
  const digits = text.replaceAll('-', '').toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Where people open it. */
export function describeUrl(id: string): string {
  return `https://www.notion.so/${id.replaceAll('-', '')}`;
}
