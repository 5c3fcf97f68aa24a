import type { DataSource } from './data-source.ts';

/** What a page that is in no data source has for columns. */
export const titleOnly: DataSource = {
  id: '',
  databaseId: '',
  name: '',
  properties: [{ id: 'title', name: 'title', type: 'title', config: {} }],
  createdTime: '',
  lastEditedTime: '',
  isInTrash: false,
  icon: null,
};
