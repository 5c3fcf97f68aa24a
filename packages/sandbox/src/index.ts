// The public surface of the sandbox.
export {
  createVendorStandIns,
  type VendorStandIns,
  type VendorStandInsOptions,
} from './create-vendor-stand-ins.ts';
export {
  createMailStandIn,
  type MailListenOptions,
  type MailStandIn,
  type MailStandInOptions,
} from './mail/create-mail-stand-in.ts';
export type { ReceivedMail } from './mail/read-mail.ts';
export {
  createNotionStandIn,
  type NotionStandIn,
  type NotionStandInOptions,
} from './notion/create-notion-stand-in.ts';
export { defaultDataSourceId } from './notion/data-source.ts';
export type { NotionPage, NotionProperty } from './notion/notion-page.ts';
export type { PropertyType } from './notion/property-types.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './service/create-sandbox.ts';
export type { DeliveryAttempt, DeliveryView } from './service/delivery.ts';
export type { Completion, Failure, Finish } from './service/finish-meeting.ts';
export type { PageLink } from './service/render-sandbox-page.ts';
export type { SandboxStep } from './service/sandbox-step.ts';
export type { UploadView } from './service/uploads/upload.ts';
export { createSlackStandIn, type SlackStandInOptions } from './slack/create-slack-stand-in.ts';
export type { SlackChannel } from './slack/slack-channels.ts';
export type { SlackMessage } from './slack/slack-message.ts';
export type { Intercept, InterceptedRequest, Interception } from './stand-ins/interception.ts';
export type { StandIn } from './stand-ins/stand-in.ts';
export type { ListenOptions } from './web/start-listening.ts';
