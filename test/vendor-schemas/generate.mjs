// `npm run schemas`: writes packages/sandbox/schemas/*.json, and what tests compare answers with. With --check it only
// compares, and exits with 1 when a file is not what the vendors' types say.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { installOwn } from '../../scripts/install-own.mjs';
import { refineNotion } from './notion/refine-notion.mjs';
import { refineSlack } from './slack/refine-slack.mjs';
import { stripComments } from './strip-comments.mjs';

const folder = import.meta.dirname;
installOwn(folder, "the vendors' types");
// Only now: in a fresh clone there is nothing to import before.
const { createGenerator } = await import('ts-json-schema-generator');
const target = join(folder, '..', '..', 'packages', 'sandbox', 'schemas');

/** Which types go into which file. */
const vendors = {
  slack: [
    'ChatDeleteArguments',
    'ChatGetPermalinkArguments',
    'ChatPostMessageArguments',
    'ChatUpdateArguments',
    'ConversationsHistoryArguments',
    'ConversationsInfoArguments',
    'ConversationsJoinArguments',
    'ConversationsListArguments',
    'ConversationsOpenArguments',
    'ConversationsRepliesArguments',
    'FilesCompleteUploadExternalArguments',
    'FilesDeleteArguments',
    'FilesGetUploadURLExternalArguments',
    'FilesInfoArguments',
    'UsersInfoArguments',
    'UsersListArguments',
    'UsersLookupByEmailArguments',
    'KnownBlock',
    'MessageAttachment',
    'MessageMetadata',
  ],
  notion: [
    'AppendBlockChildrenParameters',
    'CreateDatabaseParameters',
    'CreateDataSourceParameters',
    'CreateFileUploadParameters',
    'CreatePageParameters',
    'QueryDataSourceParameters',
    'SearchParameters',
    'UpdateBlockParameters',
    'UpdateDataSourceParameters',
    'UpdatePageParameters',
  ],
  'notion-answers': [
    'BlockObjectResponse',
    'DatabaseObjectResponse',
    'DataSourceObjectResponse',
    'FileUploadObjectResponse',
    'ListBlockChildrenResponse',
    'ListUsersResponse',
    'PageObjectResponse',
    'QueryDataSourceResponse',
    'SearchResponse',
  ],
};

/** What only tests need stands here. */
const folders = { 'notion-answers': folder };

/** What is made of a vendor's definitions before they are written. */
const refine = { notion: refineNotion, 'notion-answers': refineNotion, slack: refineSlack };

/** Which types get a definition of their own. Written out at every place, Notion's blocks take seconds to compile. */
const expose = { notion: 'all', 'notion-answers': 'all', slack: 'export' };

let stale = 0;
for (const [vendor, types] of Object.entries(vendors)) {
  const generator = createGenerator({
    path: join(folder, 'vendor-types.ts'),
    tsconfig: join(folder, 'tsconfig.json'),
    skipTypeCheck: true,
    expose: expose[vendor],
  });
  const made = {};
  for (const type of types) Object.assign(made, generator.createSchema(type).definitions);
  const definitions = stripComments(refine[vendor]?.(made) ?? made);
  const text = `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', definitions })}\n`;
  const file = join(folders[vendor] ?? target, `${vendor}.json`);
  if (process.argv.includes('--check')) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    stale += 1;
    process.stderr.write(`${file} is not what the vendor's types say: run npm run schemas\n`);
  } else writeFileSync(file, text);
}
process.exitCode = stale === 0 ? 0 : 1;
