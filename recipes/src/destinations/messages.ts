import type { MailMessage } from './email/compose-mail.ts';
import type { FileOrder } from './folder/save-export.ts';
import type { HttpPost } from './http/send-http-post.ts';
import type { NotionPage } from './notion/page.ts';
import type { SlackMessage } from './slack/message.ts';

/** Something rendered for a destination that comes with the toolkit. */
export type BuiltInMessage =
  | { readonly destination: 'slack'; readonly message: SlackMessage }
  | { readonly destination: 'notion'; readonly message: NotionPage }
  | { readonly destination: 'email'; readonly message: MailMessage }
  | { readonly destination: 'http'; readonly message: HttpPost }
  | { readonly destination: 'folder'; readonly message: FileOrder };
