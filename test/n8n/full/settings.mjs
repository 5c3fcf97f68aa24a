/** What a user would set in the node "Settings" of a workflow, all of it on this machine. */
export function describeSettings({ vendors }) {
  return { data_source_id: vendors.notion.dataSourceId, mail_to: 'ann@example.com, bob@example.com' };
}
