import type { INodeProperties } from 'n8n-workflow';

/** A meeting: from a search, or its id. */
export const meetingLocator: INodeProperties = {
  displayName: 'Meeting',
  name: 'meetingId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'Its ID is meeting_id in the items of this node and of the triggers',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a meeting…',
      typeOptions: { searchListMethod: 'searchMeetings', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. m_42' },
  ],
};

/** A template of a report: built-in or custom, or its slug or UUID. */
export const templateLocator: INodeProperties = {
  displayName: 'Template',
  name: 'templateName',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  description:
    'The report template: a built-in one, or one of the workspace. Its slug or ID is template_name in the items of Template: Get Many.',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a template…',
      typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
    },
    {
      displayName: 'By Slug or ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. team-sync',
    },
  ],
};

/** A tag of the workspace, or its id. */
export const tagLocator: INodeProperties = {
  displayName: 'Tag',
  name: 'tagId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'Its ID is tag_id in the items of Create and Get Many',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a tag…',
      typeOptions: { searchListMethod: 'searchTags', searchable: true },
    },
    { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. t_7' },
  ],
};
