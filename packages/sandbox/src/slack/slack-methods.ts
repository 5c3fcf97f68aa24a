import {
  joinConversation,
  listConversations,
  openConversation,
  readConversation,
} from './methods/conversations.ts';
import { announceFile, completeUpload, readFileInfo } from './methods/files.ts';
import { getPermalink } from './methods/get-permalink.ts';
import { postMessage } from './methods/post-message.ts';
import { readHistory, readReplies } from './methods/read-conversation.ts';
import { testAuth } from './methods/test-auth.ts';
import { deleteMessage, updateMessage } from './methods/update-message.ts';
import { lookUpUserByEmail, readUser } from './methods/users.ts';
import type { SlackMethod } from './slack-world.ts';

/** Every method that is played, by its name in the Web API. */
export const slackMethods: ReadonlyMap<string, SlackMethod> = new Map([
  ['auth.test', testAuth],
  ['chat.delete', deleteMessage],
  ['chat.getPermalink', getPermalink],
  ['chat.postMessage', postMessage],
  ['chat.update', updateMessage],
  ['conversations.history', readHistory],
  ['conversations.info', readConversation],
  ['conversations.join', joinConversation],
  ['conversations.list', listConversations],
  ['conversations.open', openConversation],
  ['conversations.replies', readReplies],
  ['files.completeUploadExternal', completeUpload],
  ['files.getUploadURLExternal', announceFile],
  ['files.info', readFileInfo],
  ['users.info', readUser],
  ['users.lookupByEmail', lookUpUserByEmail],
]);

/** What a fault can be on: a method, or the address that a file is sent to. */
export const slackTargets = [...slackMethods.keys(), 'upload'];

/** What a request is called in the plan of faults. */
export function nameSlackTarget(path: string): string | undefined {
  if (path.startsWith('/upload/')) return 'upload';
  const method = /^\/api\/([^/]+)$/.exec(path)?.[1];
  return method !== undefined && slackMethods.has(method) ? method : undefined;
}
